import type { ClassReport } from './report.ts'

/** The report for a spreadsheet: a line a submission, the marks of each chapter in columns. Line ends are CRLF (RFC 4180). */
export function reportCsv({ chapters, submissions, identical }: ClassReport): string {
  const columns = chapters.flatMap(({ number }) => ['state', 'tasks', 'tests'].map((what) => `${number} ${what}`))
  const head = ['name', 'tasks done', 'tests passed', 'seconds', ...columns, 'mistakes', 'problems', 'same code']
  const rows = submissions.map((submission) => {
    const marks = submission.chapters
    const told = (texts: (mark: (typeof marks)[number]) => string[]) =>
      marks.flatMap((mark) => texts(mark).map((text) => `${mark.chapter}: ${text}`))
    const same = identical
      .filter((group) => group.submissions.includes(submission.name))
      .map(({ chapter, task, submissions, reference }) => {
        const others = submissions.filter((name) => name !== submission.name)
        return `${chapter}.${task}: ${[...others, ...(reference ? ['the reference'] : [])].join(', ')}`
      })
    return [
      ...[submission.name, submission.tasksDone, submission.testsPassed, submission.milliseconds / 1000],
      ...marks.flatMap(({ state, tasksDone, testsPassed }) => [state, tasksDone, testsPassed]),
      told(({ mistakes }) => mistakes.map(({ name }) => name)).join('; '),
      [...submission.problems, ...told(({ problems }) => problems)].join('; '),
      same.join('; '),
    ]
  })
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
}

/** A spreadsheet would compute a text that begins like a formula: an apostrophe keeps it a text. */
function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const flat = value.replace(/[\r\n\t]+/g, ' ')
  const harmless = /^\s*[=+\-@＝＋－＠]/.test(flat) ? `'${flat}` : flat
  return `"${harmless.replaceAll('"', '""')}"`
}
