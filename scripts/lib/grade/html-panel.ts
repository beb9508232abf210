import { count } from '../text.ts'
import { type Html, html } from './html-template.ts'
import type { ChapterInfo, ChapterMark, IdenticalWork, RedTest } from './report.ts'

export interface PanelFacts {
  /** The submission's name. */
  name: string
  chapter: ChapterInfo
  /** What in this chapter is the same as somebody else's. */
  same: IdenticalWork[]
}

/** Red tests that are shown with what they said, and those that are named at all. The others are in report.json. */
const IN_FULL = 20
const NAMED = 100
const MAX_PROBLEM = 800

/** What a cell shows when it is opened: what broke, what it is about, and the sentences that fail. */
export function cellPanel(mark: ChapterMark, { name, chapter, same }: PanelFacts): Html {
  const seconds = (mark.milliseconds / 1000).toFixed(1)
  return html`<div class="panel">
<h3>${name}, chapter ${chapter.number}: ${chapter.title}</h3>
<p>${mark.testsPassed} of ${count(chapter.tests, 'test')} pass, in ${seconds} s.</p>
${list('What broke', mark.problems)}
${list(
  'Known mistakes that explain it',
  mark.mistakes.map(({ name, hint }) => html`<b>${name}</b>: ${hint}`),
)}
${failing(mark.red, chapter)}
${mark.notBegun.length > 0 ? html`<p>Still blank: task ${mark.notBegun.join(', ')}.</p>` : undefined}
${list('Type errors', mark.typeErrors ?? [])}
${list(
  'The same code',
  same.map((group) => samePlace(group, name)),
)}
</div>`
}

function list(title: string, items: Array<string | Html>): Html | undefined {
  if (items.length === 0) return undefined
  return html`<h4>${title}</h4><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

function samePlace({ task, submissions, reference }: IdenticalWork, name: string): string {
  const others = submissions.filter((other) => other !== name)
  const some = others.length > 6 ? [...others.slice(0, 5), `${others.length - 5} others`] : others
  return `task ${task}: as ${[...(reference ? ['the reference'] : []), ...some].join(', ')}`
}

function failing(red: RedTest[], chapter: ChapterInfo): Html | undefined {
  if (red.length === 0) return undefined
  const items = red.slice(0, NAMED).map((test, i) => {
    const { sentence, task, file, line, outcome } = test
    const where = html`<small>${task === null ? 'given' : `task ${task}`}, ${outcome}, ${chapter.name}/tests/${file}:${line}</small>`
    return html`<li>${sentence} ${where}${i < IN_FULL ? said(test) : undefined}</li>`
  })
  const more = red.length > NAMED ? html`<li>… and ${red.length - NAMED} more, in report.json</li>` : undefined
  return html`<h4>${count(red.length, 'test')} ${red.length === 1 ? 'fails' : 'fail'}</h4><ul class="red">${items}${more}</ul>`
}

function said({ problem, printed }: RedTest): Html {
  return html`${text(problem)}${printed.trim() ? html`<p>it printed:</p>${text(printed)}` : undefined}`
}

function text(value: string): Html | undefined {
  const trimmed = value.trim()
  if (!trimmed) return undefined
  return html`<pre>${trimmed.length > MAX_PROBLEM ? `${trimmed.slice(0, MAX_PROBLEM)}…` : trimmed}</pre>`
}
