/** HTML that is safe to put into HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | undefined | Value[]

/** A template whose values become text: what somebody wrote is never markup. `Html` stays, lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.map((string, i) => string + (i < values.length ? toText(values[i]) : '')).join(''))
}

function toText(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  return value === undefined ? '' : escapeHtml(String(value))
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
