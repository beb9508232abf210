import { dealOut } from '../deal-out.ts'
import type { ModuleCache } from './module-cache.ts'
import { Place } from './place.ts'
import { type ChapterRun, NOTHING, type RunSettings, runChapters, type SubmissionRun } from './run-chapters.ts'
import type { Sources } from './submissions.ts'

/** A run on one stage. What is named in `changed` somebody wrote into meanwhile: then no mark may come of it. */
export type StageRun = SubmissionRun & { changed: string[] }

export interface StageSettings extends RunSettings {
  /** On how many stages the chapters are run, at the same time. */
  hands: number
  /** Test files to leave out, by path from the root. */
  without: Set<string>
  /** What is known of the modules before the run; undefined: nothing. */
  modules: ModuleCache | undefined
}

/** Runs the workshop's tests on these sources, each of the chapters alone on the reference for the others. */
export async function runSubmission(sources: Sources, chapters: string[], settings: StageSettings): Promise<StageRun> {
  return runOnStages(sources, chapters, { ...settings, reference: false })
}

/** Runs the reference as if somebody had handed it in. Tells of its tests' lines, and keeps what is then known of modules. */
export async function runReference(chapters: string[], settings: StageSettings): Promise<SubmissionRun> {
  const solutions = new Map(settings.workshop.chapters.map(({ chapter, solution }) => [chapter.name, solution]))
  return runOnStages(solutions, chapters, { ...settings, types: false, reference: true })
}

/** Runs each chapter on a stage of its own, and counts nothing of one that writes into the workshop's files. */
export async function runApart(sources: Sources, chapters: string[], settings: StageSettings): Promise<SubmissionRun> {
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

type Settings = StageSettings & { reference: boolean }

async function runOnStages(sources: Sources, chapters: string[], settings: Settings): Promise<StageRun> {
  // Without any chapter there may be types to check.
  const dealt = chapters.length > 0 ? dealOut(chapters, settings.hands) : [[]]
  const runs = await Promise.all(
    dealt.map((some, i) => runOnStage(sources, some, { ...settings, types: settings.types && i === 0 })),
  )
  return {
    chapters: new Map(runs.flatMap((run) => [...run.chapters])),
    types: runs[0].types,
    changed: runs.flatMap((run) => run.changed),
  }
}

async function runOnStage(sources: Sources, chapters: string[], settings: Settings): Promise<StageRun> {
  const place = new Place(settings.workshop, sources, settings.without)
  try {
    settings.modules?.copyTo(place.stage)
    const run = await runChapters(place, chapters, { ...settings, locations: settings.reference })
    if (settings.reference) settings.modules?.takeFrom(place.stage)
    return { ...run, changed: place.changed() }
  } finally {
    place.remove()
  }
}
