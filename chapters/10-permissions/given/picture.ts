import type { PermissionDecision } from './types.ts'

const MARKS = { pass: '·', allow: '✓', ask: '?', deny: '✗' }

const COLUMNS = 80

/** A decision as a picture for the terminal: a line for each stage it went through, and what came of it. */
export function drawDecision(call: string, decision: PermissionDecision): string {
  const { behavior, trace } = decision
  const steps = trace.map(({ stage, outcome, why }, index) => {
    const isLast = index === trace.length - 1
    const head = `  ${isLast ? '└' : '├'}─${MARKS[outcome]} ${stage}`
    return outcome === 'pass' ? head : wrap(`${head}: ${why}`, `  ${isLast ? ' ' : '│'}     `)
  })
  const always =
    decision.behavior === 'ask' && decision.suggestion ? [`       "always" adds ${decision.suggestion}`] : []
  return [`${behavior.toUpperCase().padEnd(6)}${call}`, ...steps, ...always].join('\n')
}

/** Breaks a text between words, so that no line is longer than the terminal where that can be. */
function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let rest = text
  while (rest.length > COLUMNS) {
    const at = rest.lastIndexOf(' ', COLUMNS)
    if (at <= indent.length) break
    lines.push(rest.slice(0, at))
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest].join('\n')
}
