/** The page's own style. Above 56rem a table; below, a card for each submission. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c2024; --dim: #60646c; --line: #d9dbe0; --soft: #f3f4f7;
  --good: #0a6b3d; --begun: #8a5200; --bad: #b3261e; --panel: #fff; --focus: #1a56db }
@media (prefers-color-scheme: dark) { :root { --back: #15171a; --text: #e6e8eb; --dim: #9aa0a8; --line: #33373d; --soft: #1e2126;
  --good: #5bd197; --begun: #f0b35c; --bad: #ff8f85; --panel: #1e2126; --focus: #8ab4ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { padding: 1rem 1.25rem 4rem; max-width: 100rem; margin: 0 auto }
h1 { font-size: 1.5rem; margin: .25rem 0 } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem; margin: 0 0 .25rem }
h4 { font-size: .9rem; margin: .75rem 0 .25rem }
p { margin: .25rem 0 } ul { margin: .25rem 0; padding-left: 1.2rem }
small, caption, .legend { color: var(--dim) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.warnings { border-left: 4px solid var(--bad); background: var(--soft); padding: .5rem .5rem .5rem 2rem; margin: .75rem 0 }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.finished { color: var(--good) } .begun { color: var(--begun) } .broken { color: var(--bad) }
b.finished, b.begun, b.broken { white-space: nowrap }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; padding: .25rem 0 }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: right; vertical-align: top }
th:first-child { text-align: left }
thead th { position: sticky; top: 0; background: var(--back); z-index: 1; padding: 0 }
thead button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: .4rem .5rem; cursor: pointer; width: 100%; text-align: inherit }
thead button:hover { background: var(--soft) }
thead th[aria-sort=ascending] button::after { content: ' ▲'; font-size: .7em } thead th[aria-sort=descending] button::after { content: ' ▼'; font-size: .7em }
tbody th { position: relative; font-weight: 600; max-width: 22rem; overflow-wrap: anywhere }
.look { font-weight: 400; font-size: .85rem } .look summary { color: var(--bad) } .look .panel { font-size: .95rem }
.number { white-space: nowrap } .mark { position: relative; white-space: nowrap; color: var(--dim) }
.mark.finished { color: var(--good) } .mark.begun { color: var(--begun) } .mark.broken { color: var(--bad) }
summary { cursor: pointer } .mark summary { list-style: none; font-weight: 600 } .mark summary::-webkit-details-marker { display: none }
.mark summary:hover { text-decoration: underline }
.mark details[open] summary { text-decoration: underline }
.panel { text-align: left; white-space: normal; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: .4rem;
  padding: .75rem 1rem; overflow-wrap: anywhere }
.red > li { margin-bottom: .5rem }
pre { margin: .25rem 0; padding: .4rem .6rem; background: var(--soft); border-radius: .3rem; font-size: .8rem; line-height: 1.4; white-space: pre-wrap; overflow-wrap: anywhere }
.panel pre { border: 1px solid var(--line) }
.choice { display: none }
@media (min-width: 56.01rem) {
  tbody tr:hover { background: var(--soft) }
  .panel { position: absolute; top: 100%; left: 0; z-index: 2; width: min(38rem, 45vw); max-height: 70vh; overflow: auto; box-shadow: 0 .5rem 2rem #0005 }
  .end .panel { left: auto; right: 0 }
}
@media (max-width: 56rem) {
  main { padding: .75rem } .choice { display: block; margin: .75rem 0 } select { font: inherit; padding: .3rem; max-width: 100% }
  table, tbody, caption { display: block } thead { display: none }
  tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.2rem, 1fr)); gap: .4rem; padding: .75rem 0; border-bottom: 1px solid var(--line) }
  tbody th { grid-column: 1 / -1; max-width: none; font-size: 1.1rem } th, td { border: 0; padding: 0; text-align: left }
  td::before { content: attr(data-label); display: block; color: var(--dim); font-size: .75rem; font-weight: 400 }
  .mark { background: var(--soft); border-radius: .3rem; padding: .2rem .4rem } .mark::before { content: 'chapter ' attr(data-label) }
  .mark summary { padding: .2rem 0 }
  .mark:has(details[open]) { grid-column: 1 / -1 }
  .panel { margin-top: .4rem; padding: .5rem .6rem }
}
@media print { .choice { display: none } thead th { position: static } }
`

/** The page's only script: sorting, and closing a cell with Escape or a click beside it. Without it all is there to read. */
export const SCRIPT = `
const body = document.querySelector('tbody')
const heads = [...document.querySelectorAll('thead th')]
const choice = document.getElementById('sort')
const valueOf = (row, column) => row.children[column].dataset.value
const sort = (column, direction) => {
  const rows = [...body.rows]
  const compare = column === 0
    ? (a, b) => valueOf(a, 0).localeCompare(valueOf(b, 0), undefined, { numeric: true })
    : (a, b) => Number(valueOf(a, column)) - Number(valueOf(b, column))
  rows.sort((a, b) => direction * compare(a, b))
  body.append(...rows)
  heads.forEach((head, i) => head.setAttribute('aria-sort', i !== column ? 'none' : direction > 0 ? 'ascending' : 'descending'))
  choice.value = String(column)
}
heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
  const now = head.getAttribute('aria-sort')
  // Names from A on, numbers from the highest: what one looks for first. A second click turns it round.
  const first = column === 0 ? 1 : -1
  sort(column, now === 'none' ? first : now === 'ascending' ? -1 : 1)
}))
choice.addEventListener('change', () => sort(Number(choice.value), choice.value === '0' ? 1 : -1))
const opened = () => [...document.querySelectorAll('tbody details[open]')]
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const cell of opened()) {
    cell.open = false
    cell.querySelector('summary').focus()
  }
})
document.addEventListener('click', (event) => {
  for (const cell of opened()) if (!cell.contains(event.target)) cell.open = false
})
document.addEventListener('toggle', (event) => {
  if (!event.target.open || !event.target.matches('tbody details')) return
  for (const cell of opened()) if (cell !== event.target) cell.open = false
}, true)
`
