import { identicalWork, type Work } from './identical.ts'
import { type ExpectedTest, markChapter } from './mark.ts'
import type { ChapterInfo, IdenticalWork, SubmissionMark } from './report.ts'
import type { SubmissionRun } from './run-chapters.ts'
import type { Sources, Submission } from './submissions.ts'
import type { TaskCode } from './task-code.ts'
import type { PristineChapter } from './workshop.ts'

/** A chapter, and what the reference's run told of it. */
export interface MeasuredChapter extends PristineChapter {
  expected: ExpectedTest[]
  code: TaskCode[]
}

/** The part of the report that submissions and their runs make. A submission without a run was not marked. */
export function reportOn(
  chapters: MeasuredChapter[],
  submissions: Submission[],
  runs: Map<Submission, SubmissionRun>,
): { chapters: ChapterInfo[]; submissions: SubmissionMark[]; identical: IdenticalWork[] } {
  return {
    chapters: chapters.map(toInfo),
    submissions: submissions.map((submission) => markSubmission(chapters, submission, runs.get(submission))),
    identical: chapters.flatMap(({ chapter, code }) => {
      const works = submissions.flatMap((submission): Work[] => {
        const own = runs.get(submission)?.chapters.get(chapter.name)?.code
        return own ? [{ name: submission.name, code: own }] : []
      })
      return identicalWork(chapter.number, works, code)
    }),
  }
}

function toInfo({ chapter, title, tasks, expected }: MeasuredChapter): ChapterInfo {
  return {
    ...{ number: chapter.number, name: chapter.name, title },
    tasks: tasks.map(({ number, title }) => ({ number, title })),
    tests: expected.filter(({ task }) => task !== undefined).length,
  }
}

function markSubmission(
  chapters: MeasuredChapter[],
  { name, folder, sources, problems }: Submission,
  run: SubmissionRun | undefined,
): SubmissionMark {
  const marks = chapters.map((measured) => {
    const { name } = measured.chapter
    return markChapter({
      pristine: measured,
      expected: measured.expected,
      sources: sources.get(name),
      run: run?.chapters.get(name),
      problems: problems.filter(({ chapter }) => chapter === name).map(({ text }) => text),
      types: run?.types && run.chapters.has(name) ? (run.types.get(name) ?? []) : undefined,
    })
  })
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  return {
    ...{ name, folder },
    tasksDone: sum(marks.map(({ tasksDone }) => tasksDone)),
    testsPassed: sum(marks.map(({ testsPassed }) => testsPassed)),
    milliseconds: sum(marks.map(({ milliseconds }) => milliseconds)),
    problems: [
      ...problems.filter(({ chapter }) => chapter === undefined).map(({ text }) => text),
      ...(run ? [] : ['not marked: see the warnings']),
      ...peeks(sources),
    ],
    chapters: marks,
  }
}

const PEEK = /['"`][^'"`\n]*(?:\bsolution\/|\/tests\/)|['"`]vitest\b/

/** Tells of files that name what no task needs: the reference, the tests, or the test runner itself. */
export function peeks(sources: Sources): string[] {
  const found = [...sources].flatMap(([chapter, files]) =>
    [...files].filter(([, text]) => PEEK.test(text)).map(([name]) => `chapters/${chapter}/src/${name}`),
  )
  return found.length > 0 ? [`look at ${found.slice(0, 5).join(', ')}: names the reference, the tests or Vitest`] : []
}
