import { Place } from './place.ts'
import { type ChapterRun, NOTHING, type RunSettings, runChapters, type SubmissionRun } from './run-chapters.ts'
import type { Sources } from './submissions.ts'

/** A run on one stage. What is named in `changed` somebody wrote into meanwhile: then no mark may come of it. */
export type StageRun = SubmissionRun & { changed: string[] }

/** Runs the workshop's tests on these sources, each of the chapters alone on the reference for the others. */
export async function runSubmission(sources: Sources, chapters: string[], settings: RunSettings): Promise<StageRun> {
  return runOnStage(sources, chapters, { ...settings, reference: false })
}

/** Runs the reference's own tests, as a submission's are run. */
export async function runReference(chapters: string[], settings: RunSettings): Promise<SubmissionRun> {
  return runOnStage(undefined, chapters, { ...settings, types: false, reference: true })
}

/** Runs each chapter on a stage of its own, and counts nothing of one that writes into the workshop's files. */
export async function runApart(sources: Sources, chapters: string[], settings: RunSettings): Promise<SubmissionRun> {
  const apart = new Map<string, ChapterRun>()
  let types: SubmissionRun['types']
  for (const chapter of chapters) {
    const own = new Map([...sources].filter(([name]) => name === chapter))
    const run = await runSubmission(own, [chapter], settings)
    if (run.types) types = new Map([...(types ?? []), ...run.types])
    const shown = run.changed.slice(0, 3).join(', ')
    const incomplete = `its code changed the workshop's files while the tests ran (${shown}): not counted`
    apart.set(chapter, run.changed.length > 0 ? { ...NOTHING, incomplete } : run.chapters.get(chapter)!)
  }
  return { chapters: apart, types }
}

async function runOnStage(
  sources: Sources | undefined,
  chapters: string[],
  settings: RunSettings & { reference: boolean },
): Promise<StageRun> {
  const place = new Place(settings.workshop, sources)
  try {
    const run = await runChapters(place, chapters, settings)
    return { ...run, changed: place.changed() }
  } finally {
    place.remove()
  }
}
