import { parseAst } from 'vitest/node'

/** A node of the syntax tree (ESTree with TypeScript), or any value in one. */
type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** A piece of code without what says nothing about who thought of it. */
export interface Normal {
  /** Equal for two pieces of code just when they are the same apart from names, layout, comments, quotes and types. */
  text: string
  /** How many tokens it has, roughly: names, literals and constructs. */
  size: number
}

/** A named piece of a module: a function, a class, one of its members, a constant. */
export type Unit = Node

/** The units of a module by name: `dispatch`, `Executor.add`. None when it cannot be parsed. */
export function unitsOf(code: string): Map<string, Unit> {
  const units = new Map<string, Node>()
  const add = (name: string, node: Node, inside: string) => {
    const path = inside ? `${inside}.${name}` : name
    if (!units.has(path)) units.set(path, node)
    visit(node, path)
  }
  const visit = (node: Node, inside: string) => {
    for (const child of childrenOf(node)) {
      const name = nameOf(child)
      if (name !== undefined) add(name, child, inside)
      else visit(child, inside)
    }
  }
  try {
    visit(parseAst(code, { lang: 'ts' }) as unknown as Node, '')
    return units
  } catch {
    return new Map()
  }
}

/** The name of a declaration that is a unit of its own; undefined for other nodes. */
function nameOf(node: Node): string | undefined {
  const { type, id, key, init, value } = node as Node & Record<'id' | 'key' | 'init' | 'value', Node | null>
  const named = (name: Node | null) => (typeof name?.name === 'string' ? name.name : undefined)
  if (type === 'FunctionDeclaration' || type === 'ClassDeclaration') return named(id)
  if (type === 'VariableDeclarator' && /Function|Object|Array|Call|New/.test(init?.type ?? '')) return named(id)
  if (type === 'MethodDefinition' || type === 'PropertyDefinition') return named(key)
  if (type === 'Property' && /Function/.test(value?.type ?? '')) return named(key)
  return undefined
}

/** The name of the innermost unit that covers an offset. */
export function unitAt(units: Map<string, Unit>, offset: number): string | undefined {
  let best: [name: string, node: Node] | undefined
  for (const [name, node] of units) {
    if (node.start > offset || node.end <= offset) continue
    if (!best || node.end - node.start <= best[1].end - best[1].start) best = [name, node]
  }
  return best?.[0]
}

/**
 * Writes a node down without what can be changed without thinking. Names in `kept` (of the language, and what everybody was
 * given) stay as they are unless the code declares them itself; every other name is a number, by its first use.
 */
export function normalise(unit: Unit, kept: ReadonlySet<string>): Normal {
  const own = new Set<string>()
  for (const pattern of patternsIn(unit)) collectNames(pattern, own)
  const numbers = new Map<string, number>()
  const words: string[] = []

  const name = (text: string, property: boolean) => {
    if (kept.has(text) && (property || !own.has(text))) return text
    const known = `${property ? '.' : ''}${text}`
    if (!numbers.has(known)) numbers.set(known, numbers.size)
    return `${property ? '.' : '$'}${numbers.get(known)}`
  }
  const write = (node: Node): void => {
    const plain = unwrap(node)
    if (plain.type === 'Identifier' || plain.type === 'PrivateIdentifier') {
      words.push(name(plain.name as string, plain.type === 'PrivateIdentifier'))
      return
    }
    const literal = literalOf(plain)
    if (literal !== undefined) {
      words.push(literal)
      return
    }
    words.push(`${plain.type}${flagsOf(plain)}`)
    for (const [key, child] of Object.entries(plain)) {
      if (isType(key)) continue
      const isKey = (key === 'property' || key === 'key') && plain.computed === false
      for (const part of nodesIn(child)) {
        const text = isKey && typeof part.name === 'string' ? part.name : undefined
        if (text !== undefined) words.push(name(text, true))
        else write(part)
      }
    }
    words.push(')')
  }
  write(unit)
  return { text: words.join(' '), size: words.filter((word) => word !== ')').length }
}

/** The names that a language's own objects have, and those in these texts. */
export function namesIn(texts: Iterable<string>): Set<string> {
  const names = new Set(LANGUAGE)
  for (const text of texts) for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) names.add(word)
  return names
}

const BUILT_IN = [Object, Function, Array, String, Number, RegExp, Date, Error, Map, Set, WeakMap, Promise, Symbol]
const NODES_OWN = [Buffer, Uint8Array, URL, AbortController, AbortSignal]
const LANGUAGE = [
  ...[...BUILT_IN, ...NODES_OWN].flatMap((type) => [
    type.name,
    ...Object.getOwnPropertyNames(type),
    ...Object.getOwnPropertyNames(type.prototype),
  ]),
  ...[JSON, Math, Reflect].flatMap((space) => Object.getOwnPropertyNames(space)),
  ...['JSON', 'Math', 'Reflect', 'undefined', 'process', 'console', 'setTimeout', 'clearTimeout', 'globalThis'],
]

/** What stands for the same: without parentheses, casts and the braces around one statement. */
function unwrap(node: Node): Node {
  if (/^(TS(As|Satisfies|NonNull)Expression|ParenthesizedExpression|ExpressionStatement)$/.test(node.type))
    return unwrap(node.expression as Node)
  const body = node.type === 'BlockStatement' ? (node.body as Node[]) : []
  if (body.length === 1 && body[0].type !== 'VariableDeclaration') return unwrap(body[0])
  return node
}

/** A literal by its value, so that quotes and spellings do not count. */
function literalOf(node: Node): string | undefined {
  const { type, value, raw, quasis, expressions } = node as Node & { quasis?: Node[]; expressions?: Node[] }
  if (type === 'TemplateLiteral' && expressions?.length === 0)
    return JSON.stringify((quasis![0].value as { cooked: string }).cooked)
  if (type === 'TemplateElement') return JSON.stringify((value as { cooked: string }).cooked)
  if (type !== 'Literal') return undefined
  return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : String(raw)
}

/** What a node is beyond its type and its parts: `+`, `async`, `?.`. */
function flagsOf(node: Node): string {
  const flags = ['operator', 'async', 'generator', 'optional', 'prefix', 'static', 'delegate', 'await']
  const found = flags.filter((flag) => node[flag] !== undefined && node[flag] !== false)
  return found.map((flag) => ` ${node[flag] === true ? flag : node[flag]}`).join('')
}

function isType(key: string): boolean {
  return /^(typeAnnotation|typeParameters|typeArguments|returnType|superTypeArguments|implements|decorators)$/.test(key)
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => (isType(key) ? [] : nodesIn(value)))
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  const node = value as Node | null
  return typeof node?.type === 'string' && node.type !== 'EmptyStatement' ? [node] : []
}

/** The patterns in which a piece of code declares names: parameters, variables, caught errors, functions. */
function* patternsIn(node: Node): Iterable<Node> {
  const { type, params, id, param } = node as Node & { params?: Node[]; id?: Node | null; param?: Node | null }
  if (/Function/.test(type)) yield* params ?? []
  if (/^(VariableDeclarator|FunctionDeclaration|FunctionExpression|ClassDeclaration)$/.test(type) && id) yield id
  if (type === 'CatchClause' && param) yield param
  for (const child of childrenOf(node)) yield* patternsIn(child)
}

function collectNames(pattern: Node, names: Set<string>): void {
  if (pattern.type === 'Identifier') names.add(pattern.name as string)
  else if (pattern.type === 'Property') collectNames(pattern.value as Node, names)
  else if (pattern.type === 'AssignmentPattern') collectNames(pattern.left as Node, names)
  else for (const child of childrenOf(pattern)) collectNames(child, names)
}
