import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { nearest } from './near-miss.ts'

/** A scenario file has faults: the message has a line for each, which begins with the file and the line. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'

  constructor(faults: string[]) {
    super(faults.join('\n'))
  }
}

type Path = readonly PropertyKey[]

/** Says where in the file something is, and what is wrong with it. */
type Fault = (path: Path, problem: string) => string

/** Reads YAML and checks it with a schema. Throws a ScenarioError with all that is wrong. */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  { fileName, schema }: { fileName: string; schema: Schema },
): { value: z.infer<Schema>; fault: Fault } {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  if (document.errors.length > 0) {
    throw new ScenarioError(document.errors.map(({ pos, message }) => `${fileName}:${lineAt(pos[0])}: ${message}`))
  }
  const fault: Fault = (path, problem) => {
    const field = path.length > 0 ? `${path.join('.')}: ` : ''
    return `${fileName}:${lineAt(offsetOf(document.contents, path))}: ${field}${problem}`
  }
  const read = schema.safeParse(
    toValue(() => document.toJS(), fault),
    { reportInput: true },
  )
  if (read.success) return { value: read.data, fault }
  throw new ScenarioError(read.error.issues.flatMap((issue) => faultsOf(issue, schema, fault)))
}

/** An alias that names nothing, or too many of them, shows only when the value is made. */
function toValue(make: () => unknown, fault: Fault): unknown {
  try {
    return make()
  } catch (error) {
    throw new ScenarioError([fault([], (error as Error).message)])
  }
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, fault: Fault): string[] {
  const { path, message, input } = issue
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path)
    return issue.keys.map((key) =>
      fault([...path, key], `this key is unknown.${nearest(key, known)} Expected one of ${known.join(', ')}`),
    )
  }
  // "Invalid input: expected string, received number": what came is shown instead of its type.
  const expected = message.replace(/^[A-Z][a-z ]+: /, '').replace(/, received .*$/, '')
  const near = issue.code === 'invalid_value' ? nearest(String(input), issue.values.map(String)) : ''
  return [fault(path, `${expected}${gotOf(input)}${near && `.${near}`}`)]
}

function gotOf(input: unknown): string {
  if (input === undefined) return ', got nothing'
  const json = JSON.stringify(input)
  return `, got ${json.length > 60 ? `${json.slice(0, 60)}…` : json}`
}

/** The keys that the schema knows at a path. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  let at = unwrap(schema)
  for (const key of path) at = unwrap(at instanceof z.ZodArray ? at.element : (at as z.ZodObject).shape[String(key)])
  return Object.keys((at as z.ZodObject).shape)
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema
}

/** Where a field begins, or what it would stand in where it is missing. */
function offsetOf(root: unknown, path: Path): number {
  let node = root
  let offset = (node as { range?: number[] } | null)?.range?.[0] ?? 0
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      if (!pair) break
      offset = (pair.key as { range?: number[] }).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key]
      offset = (node as { range?: number[] } | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset
}
