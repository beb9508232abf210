import * as z from 'zod'
import { safeText } from './safe-text.ts'
import type { GivenCode } from './task-code.ts'

/** What the process that runs a submission is asked to do: it reads this, as JSON, from its standard input. */
export interface Job {
  /** Begins every line that the process reports. The code under test is not told it. */
  nonce: string
  /** Folder names, in the order to run. */
  chapters: string[]
  /** What everybody was given of each of them, by name. */
  given: Record<string, GivenCode>
  /** Tell in which line each test stands. */
  locations: boolean
  /** Check the types of `src/` as well. */
  types: boolean
}

/** The file descriptor that a process reports on. */
export const REPORT_FD = 3
export const MAX_TEXT = 2000
export const MAX_TESTS = 2000
export const MAX_PROBLEMS = 20

const text = z
  .string()
  .max(4 * MAX_TEXT)
  .transform((value) => safeText(value, MAX_TEXT))
const counted = z.number().int().min(0).max(1_000_000)

const testOutcome = z.strictObject({
  sentence: z.string().max(MAX_TEXT),
  task: counted.optional(),
  /** The test's file, without folders, and its line. */
  file: z.string().max(200),
  line: counted,
  outcome: z.enum(['passed', 'failed', 'hung', 'crashed', 'lost']),
  /** Red because a blank is still blank. */
  open: z.boolean(),
  /** Why it is red, in words; empty for a test that passed. */
  problem: text,
  /** What the code printed meanwhile, its beginning. */
  printed: text,
})

const message = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), chapter: z.string().max(100) }),
  z.strictObject({
    type: z.literal('code'),
    chapter: z.string().max(100),
    code: z.array(z.strictObject({ task: counted, digest: z.string().length(64), size: counted })).max(20),
  }),
  z.strictObject({ type: z.literal('test'), chapter: z.string().max(100), test: testOutcome }),
  z.strictObject({
    type: z.literal('chapter'),
    chapter: z.string().max(100),
    tests: z.array(testOutcome).max(MAX_TESTS),
    /** Test files that could not be loaded, and errors that no test was waiting for. */
    broken: z.array(text).max(MAX_PROBLEMS),
    stray: z.array(text).max(MAX_PROBLEMS),
    milliseconds: counted.max(86_400_000),
  }),
  z.strictObject({
    type: z.literal('types'),
    problems: z.array(z.strictObject({ chapter: z.string().max(100), text })).max(500),
  }),
  z.strictObject({ type: z.literal('working') }),
  z.strictObject({ type: z.literal('end') }),
])

/** What one test came to. */
export type TestOutcome = z.infer<typeof testOutcome>
/** One report of the process. */
export type Message = z.infer<typeof message>
export type ChapterMessage = Extract<Message, { type: 'chapter' }>

/** One report as a line. */
export function writeLine(nonce: string, report: Message): string {
  return `${nonce} ${JSON.stringify(report)}\n`
}

/** Reads a line. Undefined when it was not written by `writeLine` with this nonce. */
export function readLine(nonce: string, line: string): Message | undefined {
  if (!line.startsWith(`${nonce} `)) return undefined
  try {
    return message.safeParse(JSON.parse(line.slice(nonce.length + 1))).data
  } catch {
    return undefined
  }
}
