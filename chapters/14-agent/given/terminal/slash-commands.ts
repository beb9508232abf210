import pc from 'picocolors'
import { drawTimeline, type Timeline } from '../../../12-streaming-executor/given/timeline.ts'
import type { Session } from '../session.ts'
import { clean, cutTo, wrap } from './columns.ts'
import type { Screen } from './screen.ts'

export interface SlashOptions {
  screen: Screen
  session: Session
  /** Of the last answer that had calls. */
  timeline: Timeline | undefined
}

const COMMANDS: Record<string, { about: string; run(options: SlashOptions): string[] }> = {
  '/tools': { about: 'the tools that there are', run: showTools },
  '/permissions': { about: 'the mode, and the rules', run: showPermissions },
  '/trace': { about: 'when each call of the last answer with calls ran', run: showTrace },
  '/help': { about: 'this', run: showHelp },
  '/quit': { about: 'leave', run: () => [] },
}

/** A line that is a word with a slash before it. A path is none. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w-]*$/.test(text)
}

export function runSlashCommand(text: string, options: SlashOptions): void {
  const command = Object.hasOwn(COMMANDS, text) ? COMMANDS[text] : undefined
  const lines = command?.run(options) ?? [`There is no ${text}. There are: ${Object.keys(COMMANDS).join(', ')}.`]
  options.screen.print(...lines.flatMap((line) => wrap(line, options.screen.width)))
}

function showTools({ session, screen }: SlashOptions): string[] {
  const width = Math.max(...session.tools.map(({ name }) => name.length)) + 2
  return session.tools.map(({ name, searchHint = '' }) =>
    cutTo(clean(`${name.padEnd(width)}${searchHint}`).trimEnd(), screen.width),
  )
}

function showPermissions({ session }: SlashOptions): string[] {
  const { mode, rules } = session.permissions
  const lines = rules.map(({ behavior, text, source }) => `${behavior.padEnd(6)}${clean(text)}  (${source})`)
  return [`mode  ${mode}`, ...(lines.length > 0 ? lines : ['No rules. "always" at a question adds one.'])]
}

function showTrace({ timeline, screen }: SlashOptions): string[] {
  if (!timeline) return ['No call has run yet.']
  const { bars } = timeline
  const begin = Math.min(...bars.map(({ queued }) => queued))
  const end = Math.max(...bars.map(({ queued, started = queued, answered = started }) => answered))
  const room = screen.width - Math.max(...bars.map(({ name }) => name.length)) - 4
  return [
    ...drawTimeline(bars, { scale: Math.max(1, (end - begin) / room) }).split('\n'),
    pc.dim('· waits, or asks you  █ runs beside others  ▓ runs alone  ✗ failed'),
  ]
}

function showHelp(): string[] {
  const commands = Object.entries(COMMANDS).map(([name, { about }]) => `${name.padEnd(14)}${about}`)
  return [
    'Say what you want done. Ctrl-C interrupts what goes on; a second one leaves.',
    'At a question: y yes, a always (adds the rule that is shown), n no, with a reason for the model.',
    ...commands,
  ]
}
