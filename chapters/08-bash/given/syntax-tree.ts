import { createRequire } from 'node:module'
import { Language, Parser, type TreeCursor } from 'web-tree-sitter'

/** A node of a syntax tree, as plain data. */
export interface SyntaxNode {
  /** The grammar's name for it, such as `pipeline`; of a token without a name its text: `&&`. */
  type: string
  /** The piece of the command that it stands for. */
  text: string
  /** Where that piece starts in the command, and where it ends. */
  start: number
  end: number
  children: SyntaxNode[]
}

/** How deep a tree may be. Nobody nests like that in good faith. */
const MAX_DEPTH = 60

// The grammar is WebAssembly and loads in its own time. Waiting here, once, is what lets everything else be synchronous.
await Parser.init()
const grammar = await Language.load(createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm'))
const parser = new Parser()
parser.setLanguage(grammar)

/** The syntax tree of a command, or undefined where the grammar does not understand all of it, or it is too deep. */
export function syntaxTree(command: string): SyntaxNode | undefined {
  const tree = parser.parse(command)
  if (!tree) return undefined
  try {
    return tree.rootNode.hasError ? undefined : plain(tree.walk(), command, MAX_DEPTH)
  } finally {
    tree.delete()
  }
}

/** What is below the cursor, without the parser's memory behind it, or undefined where it is too deep. */
function plain(cursor: TreeCursor, command: string, depth: number): SyntaxNode | undefined {
  if (depth === 0) return undefined
  const { nodeType: type, startIndex: start, endIndex: end } = cursor
  const children: SyntaxNode[] = []
  if (cursor.gotoFirstChild()) {
    do {
      const child = plain(cursor, command, depth - 1)
      if (!child) return undefined
      children.push(child)
    } while (cursor.gotoNextSibling())
    cursor.gotoParent()
  }
  return { type, text: command.slice(start, end), start, end, children }
}

/** The leaves below a node, from left to right. */
export function leavesOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf)
}

/** The nodes of one of these types in a tree, also one inside another, in the order in which they start. */
export function descendantsOf(node: SyntaxNode, ...types: string[]): SyntaxNode[] {
  const found = node.children.flatMap((child) => descendantsOf(child, ...types))
  return types.includes(node.type) ? [node, ...found] : found
}
