/** What a class does with a chapter: nothing, watch its demo, write some of its tasks, write all of them. */
export type How = 'given' | 'show' | 'short' | 'whole'

/** Chapters, by number, to be done in one way: the most important first. */
export type Wish = [how: How, ...chapters: number[]]

export interface Plan {
  name: string
  /** What one session is called: `Day`. */
  session: string
  sessions: number
  /** How long a session may be, breaks included. */
  minutes: number
  /** What has to fit. */
  must: Wish[]
  /** What is done as well, as far as it fits: the most important first. */
  may: Wish[]
}

/** What a schedule has to know of a chapter. */
export interface CourseChapter {
  number: number
  title: string
  minutes: number
  tasks: Array<{ number: number; lines: number }>
  /** The tasks that are written when time is short. */
  short: number[]
}

export interface Row {
  /** Minutes since the session began. */
  at: number
  minutes: number
  what: 'begin' | 'pause' | 'lunch' | 'show' | 'work' | 'end'
  chapter?: CourseChapter
  /** Of `work`: the tasks that are written. */
  tasks?: number[]
}

export interface Schedule {
  plan: Plan
  sessions: Row[][]
  how: Map<number, How>
}

/** A piece of work that is not interrupted. */
interface Block {
  chapter: CourseChapter
  what: 'show' | 'work'
  tasks: number[]
  minutes: number
}

const RANKS: How[] = ['given', 'show', 'short', 'whole']
const STEP = 5
const SHOW_MINUTES = 10
/** What breaks, the idea and the prediction; then the demo and the questions. They are part of a lesson's minutes. */
const OPENING_MINUTES = 10
const CLOSING_MINUTES = 5
const SET_UP_MINUTES = 15
const WELCOME_MINUTES = 5
const END_MINUTES = 5
const PAUSE_MINUTES = 10
const LUNCH_MINUTES = 60
/** Nobody works longer than this without a break, unless one task takes longer. */
const LONGEST_WORK_MINUTES = 90
/** A session with more room than this has a lunch, before so much of it has passed. */
const LUNCH_AFTER_MINUTES = 240

/** Chooses what fits of a plan, and when it happens. Throws an Error that says what does not fit. */
export function makeSchedule(plan: Plan, chapters: CourseChapter[]): Schedule {
  const how = new Map<number, How>(chapters.map(({ number }) => [number, 'given']))
  for (const [wanted, number] of single(plan.must)) raise(how, number, wanted)
  if (!pack(plan, chapters, how)) {
    const needed = pack({ ...plan, sessions: Number.POSITIVE_INFINITY }, chapters, how)?.length
    const room = needed === undefined ? 'one piece of work is longer than a session' : `it needs ${needed}`
    throw new Error(`"${plan.name}" does not fit into ${plan.sessions} × ${plan.minutes} minutes: ${room}.`)
  }
  for (const [wanted, number] of single(plan.may)) {
    const more = new Map(how)
    raise(more, number, wanted)
    if (pack(plan, chapters, more)) raise(how, number, wanted)
  }
  return { plan, sessions: balanced(plan, chapters, how), how }
}

const single = (wishes: Wish[]) => wishes.flatMap(([how, ...numbers]) => numbers.map((n) => [how, n] as const))

/** A chapter that there is not (yet) stays out. */
function raise(how: Map<number, How>, number: number, wanted: How): void {
  const now = how.get(number)
  if (now !== undefined && RANKS.indexOf(wanted) > RANKS.indexOf(now)) how.set(number, wanted)
}

/** The sessions as long as each other: as short as they can be. */
function balanced(plan: Plan, chapters: CourseChapter[], how: Map<number, How>): Row[][] {
  for (let minutes = STEP; minutes < plan.minutes; minutes += STEP) {
    const sessions = pack({ ...plan, minutes }, chapters, how)
    if (sessions) return sessions
  }
  return pack(plan, chapters, how)!
}

/** The blocks in order, in as few sessions as they take; undefined where that is too many. */
function pack(plan: Plan, chapters: CourseChapter[], how: Map<number, How>): Row[][] | undefined {
  const sessions = [new Session(plan.minutes, SET_UP_MINUTES)]
  for (const block of chapters.flatMap((chapter) => blocksOf(chapter, how.get(chapter.number) ?? 'given'))) {
    if (sessions.at(-1)!.add(block)) continue
    const next = new Session(plan.minutes, WELCOME_MINUTES)
    if (sessions.length === plan.sessions || !next.add(block)) return undefined
    sessions.push(next)
  }
  return sessions.map((session) => session.rows())
}

function blocksOf(chapter: CourseChapter, how: How): Block[] {
  if (how === 'given') return []
  if (how === 'show') return [{ chapter, what: 'show', tasks: [], minutes: SHOW_MINUTES }]
  const minutes = taskMinutes(chapter)
  const written = chapter.tasks.map(({ number }) => number).filter((n) => how === 'whole' || chapter.short.includes(n))
  return written.map((task, index) => ({
    chapter,
    what: 'work',
    tasks: [task],
    minutes:
      minutes.get(task)! + (index === 0 ? OPENING_MINUTES : 0) + (index === written.length - 1 ? CLOSING_MINUTES : 0),
  }))
}

/** The lesson's minutes without opening and closing, divided among its tasks as their lines are, in steps of five. */
export function taskMinutes({ minutes, tasks }: CourseChapter): Map<number, number> {
  const room = Math.ceil(minutes / STEP) * STEP - OPENING_MINUTES - CLOSING_MINUTES
  const lines = tasks.reduce((sum, task) => sum + task.lines, 0)
  let seen = 0
  let given = 0
  return new Map(
    tasks.map((task) => {
      seen += task.lines
      const end = Math.round(((room / STEP) * seen) / lines) * STEP
      const own = end - given
      given = end
      return [task.number, own]
    }),
  )
}

/** One session while it is filled. */
class Session {
  readonly #room: number
  readonly #rows: Row[]
  #at: number
  #worked = 0
  #hadLunch: boolean

  constructor(room: number, begin: number) {
    this.#room = room
    this.#rows = [{ at: 0, minutes: begin, what: 'begin' }]
    this.#at = begin
    this.#hadLunch = room <= LUNCH_AFTER_MINUTES
  }

  /** Adds a block, with a break before it where one is due; false where it does not fit any more. */
  add(block: Block): boolean {
    const pause = this.#pauseBefore(block)
    if (this.#at + (pause?.minutes ?? 0) + block.minutes + END_MINUTES > this.#room) return false
    if (pause) {
      this.#push(pause)
      this.#worked = 0
      this.#hadLunch ||= pause.what === 'lunch'
    }
    this.#worked += block.minutes
    const last = this.#rows.at(-1)!
    if (last.chapter === block.chapter && last.what === block.what) {
      last.minutes += block.minutes
      last.tasks!.push(...block.tasks)
      this.#at += block.minutes
    } else this.#push({ ...block, tasks: [...block.tasks] })
    return true
  }

  rows(): Row[] {
    return [...this.#rows, { at: this.#at, minutes: END_MINUTES, what: 'end' }]
  }

  #pauseBefore(block: Block): Omit<Row, 'at'> | undefined {
    if (!this.#hadLunch && this.#at + block.minutes > LUNCH_AFTER_MINUTES)
      return { what: 'lunch', minutes: LUNCH_MINUTES }
    if (this.#worked > 0 && this.#worked + block.minutes > LONGEST_WORK_MINUTES)
      return { what: 'pause', minutes: PAUSE_MINUTES }
    return undefined
  }

  #push(row: Omit<Row, 'at'>): void {
    this.#rows.push({ ...row, at: this.#at })
    this.#at += row.minutes
  }
}

/** A schedule as Markdown: a table for each session, and what is done in which way. */
export function showSchedule({ plan, sessions, how }: Schedule): string {
  const tables = sessions.map((rows, index) => {
    const { at, minutes } = rows.at(-1)!
    const name = sessions.length === 1 ? plan.session : `${plan.session} ${index + 1}`
    const lines = rows.map((row) => `| ${clock(row.at)} | ${wordsOf(row, index === 0)} | ${row.minutes} |`)
    return [`**${name}**, ${clock(at + minutes)} h`, '', '| from | what | minutes |', '|---|---|---|', ...lines].join(
      '\n',
    )
  })
  const of = (...wanted: How[]) => [...how].filter(([, h]) => wanted.includes(h)).map(([number]) => twoDigits(number))
  const summary = [
    ['Written whole', of('whole')],
    ['written in part', of('short')],
    ['shown', of('show')],
    ['left out', of('given')],
  ] as const
  const told = summary
    .filter(([, numbers]) => numbers.length > 0)
    .map(([what, numbers]) => `${what}: ${numbers.join(', ')}`)
  return `${tables.join('\n\n')}\n\n${told.join('; ')}.`
}

function wordsOf({ what, chapter, tasks }: Row, isFirst: boolean): string {
  if (what === 'begin') return isFirst ? 'welcome, and `npm test` is green everywhere' : 'questions from last time'
  if (what === 'pause') return '*break*'
  if (what === 'lunch') return '*lunch*'
  if (what === 'end') return 'what was learnt, and what comes next'
  const title = `${twoDigits(chapter!.number)} · ${chapter!.title}`
  if (what === 'show') return `${title}: show`
  const all = tasks!.length === chapter!.tasks.length
  return `${title}: ${all ? 'all tasks' : `task${tasks!.length === 1 ? '' : 's'} ${series(tasks!)}`}`
}

/** `1, 2 and 5`. */
export function series(items: Array<string | number>): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
const twoDigits = (number: number) => String(number).padStart(2, '0')
