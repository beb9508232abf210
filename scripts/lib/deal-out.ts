/** The items in up to `hands` lists, in turn. */
export function dealOut<T>(items: T[], hands: number): T[][] {
  const count = Math.min(hands, items.length)
  return Array.from({ length: count }, (_, hand) => items.filter((_, index) => index % count === hand))
}
