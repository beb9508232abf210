import { createHash } from 'node:crypto'

/** The longest name that the Messages API takes. */
export const MAX_NAME = 128
/** What of it the server's part may take, so that there is room for the tool's. */
export const MAX_SERVER = 40

/**
 * The name by which the model calls a server's tool: `mcp__server__tool`, 1 to 128 letters, digits, `_` and `-`,
 * whatever the two are called.
 *
 * - The server's part is `serverPart`. Behind it and `__` stands the tool's own name, where it is legal and there is room.
 * - A name that must be changed has each illegal character as `_`, is cut to the room there is, and ends with `_` and a
 *   `hashOf` the tool's name as it came, without the server's. So two names that would become the same stay two, and a
 *   name depends on nothing but itself: not on the other tools of the list, nor on their order.
 */
export function mcpToolName(server: string, tool: string): string {
  // TODO(task 3): Put the parts together, and change a tool's name only where it must be.
  throw new Error('TODO(task 3): mcpToolName')
}

/**
 * A server's name as a part of its tools' names: letters, digits, `-`, and single `_` between them, at most MAX_SERVER.
 *
 * - Whatever else is in it, `__` too, becomes one `_`, and none stands at an end: rules read the server up to the first
 *   `__` (`mcp__github` denies all tools of github), so a server must not be able to end somewhere else.
 * - Two servers may share a part (`a b` and `a.b`): one rule is about both then, and chapter 09 leaves out the tools that
 *   both have.
 * - Where that is too long, or where nothing is left, it ends with a `hashOf` the name as it came.
 */
export function serverPart(server: string): string {
  // TODO(task 3): Leave nothing that a rule could misread.
  throw new Error('TODO(task 3): serverPart')
}

/** Eight hexadecimal digits that stand for a text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
