/** Hears the rejection of what may be a promise that nobody waits for: unheard, it ends the process. Never throws. */
export function ignore(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {})
}
