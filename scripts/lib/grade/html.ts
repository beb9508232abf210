import { createHash } from 'node:crypto'
import { count } from '../text.ts'
import { SCRIPT, STYLE } from './html-page.ts'
import { cellPanel } from './html-panel.ts'
import { Html, html } from './html-template.ts'
import type { ChapterInfo, ChapterMark, ClassReport, SubmissionMark } from './report.ts'

/** The report as one page that needs nothing else. Whatever a submission says is text in it; only this page's script may run. */
export function reportHtml(report: ClassReport): string {
  const { chapters, submissions, warnings, contained, seconds } = report
  const script = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${script}'; base-uri 'none'; form-action 'none'`
  const how =
    contained === 'bubblewrap' ? 'each in a sandbox' : 'without a sandbox: a submission could read what you can read'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marks of ${count(submissions.length, 'submission')}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>Marks</h1>
<p>${count(submissions.length, 'submission')}, ${count(chapters.length, 'chapter')}, marked in ${seconds} s, ${how}.</p>
${warnings.length > 0 ? html`<ul class="warnings" aria-label="Warnings">${warnings.map((text) => html`<li>${text}</li>`)}</ul>` : undefined}
<p class="legend">A cell says how many tasks are done: <b class="finished">5/5 ✓</b> finished, <b class="begun">3/5</b> begun,
<b class="broken">2/5 !</b> something broke, <b>·</b> untouched, <b>–</b> missing. Open a cell to see what fails.</p>
${sortChoice(chapters)}
<table role="table">
<caption>Tasks done, by submission and chapter</caption>
<thead role="rowgroup"><tr role="row">${columnsOf(chapters).map(
    ({ short, long }, i) => html`
<th role="columnheader" scope="col" aria-sort="${i === 0 ? 'ascending' : 'none'}"><button type="button" title="${long}">${short}</button></th>`,
  )}
</tr></thead>
<tbody role="rowgroup">${submissions.map((submission) => row(submission, report))}
</tbody>
</table>
${sameCode(report)}
</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.text
}

/** The columns: what stands above them, and what it means. */
function columnsOf(chapters: ChapterInfo[]): Array<{ short: string; long: string }> {
  return [
    { short: 'name', long: 'Sort by name' },
    { short: 'tasks', long: 'Tasks done' },
    { short: 'tests', long: 'Tests passed' },
    { short: 'time', long: 'Seconds that the tests took' },
    ...chapters.map(({ number, title }) => ({ short: String(number), long: `Chapter ${number}: ${title}` })),
  ]
}

/** For narrow screens, where a submission is a card and has no columns. */
function sortChoice(chapters: ChapterInfo[]): Html {
  const options = columnsOf(chapters).map(
    ({ short, long }, i) => html`<option value="${i}">${i < 4 ? short : long}</option>`,
  )
  return html`<p class="choice"><label>Sort by <select id="sort">${options}</select></label></p>`
}

function row(submission: SubmissionMark, report: ClassReport): Html {
  const { name, folder, tasksDone, testsPassed, milliseconds, problems, chapters } = submission
  const all = report.chapters.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const tests = report.chapters.reduce((sum, { tests }) => sum + tests, 0)
  const number = (value: number, label: string, text: string) =>
    html`<td role="cell" class="number" data-value="${value}" data-label="${label}">${text}</td>`
  const items = problems.map((text) => html`<li>${text}</li>`)
  const look = html` <details name="cell" class="look"><summary>! ${count(problems.length, 'remark')}</summary>
<div class="panel"><h3>${name}</h3><ul>${items}</ul></div></details>`
  return html`
<tr role="row"><th role="rowheader" scope="row" data-value="${name}"><span class="name" title="${folder}">${name}</span>${problems.length > 0 ? look : undefined}</th>
${number(tasksDone, 'tasks', `${tasksDone}/${all}`)}${number(testsPassed, 'tests', `${testsPassed}/${tests}`)}${number(
  milliseconds,
  'time',
  `${(milliseconds / 1000).toFixed(1)} s`,
)}
${chapters.map((mark, i) => cell(mark, i, submission, report))}</tr>`
}

function cell(mark: ChapterMark, index: number, { name }: SubmissionMark, { chapters, identical }: ClassReport): Html {
  const chapter = chapters[index]
  const same = identical.filter((group) => group.chapter === mark.chapter && group.submissions.includes(name))
  // By tasks first, then by tests.
  const value = mark.tasksDone + (chapter.tests > 0 ? mark.testsPassed / (chapter.tests + 1) : 0)
  const side = index >= chapters.length / 2 ? ' end' : ''
  const start = html`<td role="cell" class="mark ${mark.problems.length > 0 ? 'broken' : mark.state}${side}" data-value="${value}" data-label="${chapter.number}"`
  const empty = mark.problems.length === 0 && (mark.state === 'missing' || mark.state === 'untouched')
  if (empty) {
    const sign = mark.state === 'missing' ? '–' : '·'
    return html`${start}><span aria-hidden="true">${sign}</span><span class="spoken">${mark.state}</span></td>`
  }
  const sign = mark.state === 'finished' ? ' ✓' : mark.problems.length > 0 ? ' !' : ''
  return html`${start}><details name="cell"><summary>${mark.tasksDone}/${mark.tasks.length}${sign}<span class="spoken"> ${mark.state}</span></summary>
${cellPanel(mark, { name, chapter, same })}</details></td>`
}

function sameCode({ identical, chapters }: ClassReport): Html | undefined {
  if (identical.length === 0) return undefined
  // What equals the reference is common. What equals only another's is not.
  const items = [...identical]
    .sort((a, b) => Number(a.reference) - Number(b.reference))
    .map(({ chapter, task, submissions, reference, size }) => {
      const info = chapters.find(({ number }) => number === chapter)!
      const title = info.tasks.find(({ number }) => number === task)?.title
      return html`<li><b>Chapter ${chapter}, task ${task}</b> (${title}): ${submissions.join(', ')}${
        reference ? html` <b>= the reference</b>` : undefined
      } <small>${size} tokens</small></li>`
    })
  return html`<section>
<h2>The same code</h2>
<p>These tasks are the same apart from names, layout, comments and types. That is something to look at and no verdict: where a task has one
obvious answer, people find it by themselves.</p>
<details><summary>${count(identical.length, 'task')}</summary><ul>${items}</ul></details>
</section>`
}
