import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { board, currentChapter } from './board.ts'
import { allChapters, type Chapter, tasksOf } from './chapters.ts'
import { compareTask } from './compare.ts'
import { nextHint, openTask } from './hints.ts'
import { ownVariant, runOwn } from './own-run.ts'
import { codeOf, progressOf } from './progress.ts'
import { type ChapterRun, chapterReport } from './report.ts'
import { resetChapter } from './reset.ts'
import { TestRunner } from './run-tests.ts'

const KEYS = 'h hint · c compare · r reset · n next · p previous · l list · q quit'
/** How long the files must be quiet before a run starts, in milliseconds: an editor may write a file in several steps. */
const QUIET_MS = 10

/** The guide in a terminal: the current chapter's tests at each save, and keys for all else. */
export class Guide {
  #chapter: Chapter = currentChapter()
  #runner: TestRunner | undefined
  #watcher: FSWatcher | undefined
  #quiet: NodeJS.Timeout | undefined
  #tested = ''
  #last: ChapterRun | undefined
  /** What stands below the report: a hint, a question. It stays while the same code's verdict is completed. */
  #below = ''
  #running: Promise<void> | undefined
  /** What the next key answers, when a question is open. */
  #answer: ((yes: boolean) => void) | undefined
  #leave: () => void = () => {}
  #isLeft = false

  /**
   * Runs until the learner leaves. The terminal is then as it was before. End the process at once: a run that was going on
   * has been broken off, and never comes to its end.
   */
  async run(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve
    })
    process.stdin.setRawMode(true)
    process.stdin.on('data', this.#onKeys)
    process.stdin.resume()
    process.once('SIGTERM', this.#leave)
    process.once('SIGHUP', this.#leave)
    try {
      await Promise.race([left, this.#open(this.#chapter).then(() => left)])
    } finally {
      this.#isLeft = true
      process.stdin.off('data', this.#onKeys)
      process.stdin.setRawMode(false)
      process.stdin.pause()
      this.#watcher?.close()
      clearTimeout(this.#quiet)
      process.stdout.write('\n')
      this.#runner?.abandon()
    }
  }

  async #open(chapter: Chapter): Promise<void> {
    this.#chapter = chapter
    this.#watcher?.close()
    this.#last = undefined
    this.#below = ''
    this.#tested = ''
    this.#screen(`${board()}\n\n${pc.dim(`running the tests of chapter ${chapter.number} on your code …`)}`)
    await this.#running
    await this.#runner?.close()
    this.#runner = await TestRunner.create([ownVariant(chapter, false)], { warm: true })
    this.#watcher = watch(join(chapter.path, 'src'), this.#onChange)
    await this.#test()
  }

  #onChange = (): void => {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => {
      if (codeOf(this.#chapter) !== this.#tested) void this.#test()
    }, QUIET_MS)
  }

  /** Tests the code as it is now. A run on older code that is still going is cut short first. */
  async #test(): Promise<void> {
    const before = this.#running
    if (before) await this.#runner?.cancel()
    const run = (before ?? Promise.resolve()).then(() => this.#testNow())
    this.#running = run
    await run
    if (this.#running === run) this.#running = undefined
  }

  async #testNow(): Promise<void> {
    const chapter = this.#chapter
    const code = codeOf(chapter)
    if (code === this.#tested || !this.#runner) return
    this.#tested = code
    if (!this.#answer) this.#below = ''
    process.stdout.write(`\r\x1b[2K${pc.dim('running …')}`)
    const changed = [...tasksOf(chapter).flatMap(({ blanks }) => blanks.map(({ file }) => file))]
    const files = changed.map((name) => join(chapter.path, 'src', name))
    const show = (run: ChapterRun) => {
      if (codeOf(chapter) !== code || this.#chapter !== chapter) return
      this.#last = run
      this.#draw()
    }
    await runOwn(this.#runner, chapter, { changed: files, onTests: show }).then(show)
    await this.#runner.prepareNext()
  }

  #draw(below = this.#below): void {
    this.#below = below
    const report = this.#last ? chapterReport(this.#last) : board()
    this.#screen(`${report}${below && `\n\n${below}`}\n\n${pc.dim(KEYS)}`)
  }

  #screen(text: string): void {
    if (this.#isLeft) return
    process.stdout.write(`\x1b[2J\x1b[3J\x1b[H${text}\n`)
  }

  #onKeys = (data: Buffer): void => {
    const text = data.toString('utf8')
    // An arrow or a function key is a sequence that starts with escape: its letters are no keys.
    if (!text.startsWith('\x1b')) for (const key of text) this.#onKey(key)
  }

  #onKey(key: string): void {
    const answer = this.#answer
    this.#answer = undefined
    if (key === '\x03' || key === '\x04') this.#leave()
    else if (answer) answer(/y/i.test(key))
    else void this.#actions[key.toLowerCase()]?.()
  }

  readonly #actions: Record<string, () => void | Promise<void>> = {
    q: () => this.#leave(),
    h: () => this.#draw(nextHint(this.#chapter, openTask(this.#chapter))),
    l: () => this.#draw(board()),
    n: () => this.#step(1),
    p: () => this.#step(-1),
    c: () => this.#compare(),
    r: () => this.#reset(),
  }

  async #step(by: number): Promise<void> {
    const chapters = allChapters()
    const index = chapters.findIndex(({ number }) => number === this.#chapter.number) + by
    if (chapters[index]) await this.#open(chapters[index])
    else this.#draw(by > 0 ? 'This is the last chapter.' : 'This is the first chapter.')
  }

  async #compare(): Promise<void> {
    const chapter = this.#chapter
    const results = progressOf(chapter)?.tasks
    const tasks = tasksOf(chapter)
    const green = tasks.filter(({ number }) => results?.[number] && results[number].passed === results[number].total)
    const open = openTask(chapter)
    const shown = green.length === tasks.length ? tasks : [open]
    const question = `Task ${open.number} is not green yet. This shows you our solution of it. Go on? [y/N]`
    if (green.length < tasks.length && !(await this.#ask(question))) return this.#draw('')
    this.#draw(shown.map((task) => compareTask(chapter, task)).join('\n\n'))
  }

  async #reset(): Promise<void> {
    if (!(await this.#ask(`Start chapter ${this.#chapter.number} anew? Your code is saved first. [y/N]`)))
      return this.#draw('')
    const saved = resetChapter(this.#chapter)
    await this.#test()
    this.#draw(`Chapter ${this.#chapter.number} is as it came. Your code is in ${saved}`)
  }

  #ask(question: string): Promise<boolean> {
    this.#draw(pc.yellow(question))
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }
}
