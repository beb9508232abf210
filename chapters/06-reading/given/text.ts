/** At most `max` UTF-16 code units of `text` from its start. A character that is written as a pair is never halved. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const endsInPair = /[\uD800-\uDBFF]/.test(text[max - 1] ?? '')
  return text.slice(0, endsInPair ? max - 1 : max)
}

/** `1 line`, `2 lines`, `20,000 lines`. */
export function counted(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** `20,000`. The first toLocaleString of a process costs more than reading a file. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}
