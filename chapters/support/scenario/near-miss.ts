/** ` Did you mean "x"?` for the known word that is nearest, or nothing where none is near. */
export function nearest(word: string, known: readonly string[]): string {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  const isNear = best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
  return isNear ? ` Did you mean ${JSON.stringify(best.candidate)}?` : ''
}

/** How many letters must be put in, taken out or replaced to make one word of the other (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (let k = 0; k < to.length; k++) {
      next.push(Math.min(row[k + 1] + 1, next[k] + 1, row[k] + Number(letter !== to[k])))
    }
    row = next
  }
  return row[to.length]
}
