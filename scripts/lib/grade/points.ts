import type { ClassReport } from './report.ts'

/** What GitHub Classroom's autograding reporter reads from a test runner, as JSON in base64. */
export interface RunnerResult {
  version: 1
  status: 'pass' | 'fail' | 'error'
  max_score: number
  tests: Array<{ name: string; status: 'pass' | 'fail' | 'error'; message: string; score: number }>
}

/** A submission's points: one for each task that is done, chapter by chapter. */
export function pointsOf({ chapters, submissions: [submission], warnings }: ClassReport): RunnerResult {
  const tests = submission.chapters.map((mark, i) => {
    const { number, title, tasks } = chapters[i]
    const status = mark.tasksDone === tasks.length ? 'pass' : mark.state === 'broken' ? 'error' : 'fail'
    const words = [
      `${mark.tasksDone} of ${tasks.length} tasks done (${mark.state}).`,
      ...mark.problems,
      ...mark.red.slice(0, 5).map(({ sentence }) => `red: ${sentence}`),
      ...mark.mistakes.map(({ hint }) => hint),
    ]
    return {
      name: `chapter ${number}: ${title}`,
      status: status as RunnerResult['status'],
      message: words.join('\n'),
      score: mark.tasksDone,
    }
  })
  const broke = submission.problems.some((text) => text.startsWith('not marked'))
  const all = tests.every(({ status }) => status === 'pass')
  if (warnings.length > 0 && tests[0]) tests[0].message = [tests[0].message, ...warnings].join('\n')
  return {
    version: 1,
    status: broke ? 'error' : all ? 'pass' : 'fail',
    max_score: chapters.reduce((sum, { tasks }) => sum + tasks.length, 0),
    tests,
  }
}

/** The points as GitHub Classroom finds them in a workflow run: two annotations, written as workflow commands. */
export function pointsNotices(result: RunnerResult): string {
  const points = { totalPoints: totalOf(result), maxPoints: result.max_score }
  return [
    `::notice title=Autograding complete::Points ${points.totalPoints}/${points.maxPoints}`,
    `::notice title=Autograding report::${JSON.stringify(points)}`,
    '',
  ].join('\n')
}

function totalOf({ tests }: RunnerResult): number {
  return tests.reduce((sum, { score }) => sum + score, 0)
}

/** The points as a table in Markdown, for a workflow run's summary page. */
export function pointsTable(result: RunnerResult): string {
  const cell = (text: string) =>
    text.replace(/[|\\`<>[\]*_&#!]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\n', '<br>')
  return [
    `## ${totalOf(result)} of ${result.max_score} points`,
    '',
    '| chapter | points | |',
    '|---|---|---|',
    ...result.tests.map(({ name, score, message }) => `| ${cell(name)} | ${score} | ${cell(message)} |`),
    '',
  ].join('\n')
}
