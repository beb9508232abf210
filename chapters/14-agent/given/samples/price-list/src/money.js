/** Whole cents: half a cent is rounded up. */
export function roundCents(cents) {
  return Math.floor(cents)
}

/** Cents as people write them: 1999 is 19.99. */
export function format(cents) {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')} €`
}
