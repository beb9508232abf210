import type { z } from 'zod'
import type { z as z3 } from 'zod/v3'
import { ignoreOverride, type JsonSchema7Type, zodToJsonSchema } from 'zod-to-json-schema'

/** A schema of either major version of Zod: both are in use, and a plugin may bring its own. */
export type AnySchema = z.core.$ZodType | z3.ZodTypeAny

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>

/** Zod 4's schemas keep what they know in `_zod`, Zod 3's in `_def` alone. */
export function isZod4(schema: AnySchema): schema is z.core.$ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema
}

/**
 * What a schema is, in a word: `object` or `union` for Zod 4, `ZodObject` for Zod 3; also for what is no schema at all.
 */
export function kindOf(schema: unknown): string {
  const { _zod, _def } = Object(schema)
  return _zod?.def.type ?? _def?.typeName ?? `${schema === null ? 'null' : typeof schema}, which is no Zod schema`
}

/**
 * The fields of an object schema of either major, by name; also through refinements, transforms and `z.lazy`.
 * Anything that isn't one object with fields (a union, an intersection, a record, a list, …) has none: undefined.
 */
export function shapeOf(schema: AnySchema): Record<string, AnySchema> | undefined {
  const def = Object(schema)._zod?.def ?? Object(schema)._def
  switch (kindOf(schema)) {
    case 'object':
      return def.shape
    case 'ZodObject':
      return def.shape()
    case 'pipe':
      return shapeOf(kindOf(def.in) === 'transform' ? def.out : def.in)
    case 'ZodPipeline':
      return shapeOf(def.in)
    case 'ZodEffects':
      return shapeOf(def.schema)
    case 'lazy':
    case 'ZodLazy':
      return shapeOf(def.getter())
    case 'readonly':
    case 'ZodReadonly':
      return shapeOf(def.innerType)
    case 'ZodBranded':
      return shapeOf(def.type)
    default:
      return undefined
  }
}

/** What JSON has no form for. zod-to-json-schema writes something all the same, which the schema then refuses. */
const NOT_JSON = new Set(['ZodDate', 'ZodBigInt', 'ZodMap', 'ZodSet', 'ZodNaN'])

/**
 * The JSON Schema of a Zod 3 schema, by zod-to-json-schema.
 *
 * Throws an Error for what JSON has no form for. Like the package, it notices nothing when it gets a Zod 4 schema.
 * Tuples are written the way of draft 2020-12 (`prefixItems`), which the package does not know yet.
 */
export function zod3ToJsonSchema(schema: z3.ZodTypeAny): JsonSchema {
  return zodToJsonSchema(schema, {
    override(def) {
      const { typeName, coerce } = def as { typeName?: string; coerce?: boolean }
      if (typeName && NOT_JSON.has(typeName) && !coerce)
        throw new Error(`${typeName} cannot be represented in JSON Schema`)
      return ignoreOverride
    },
    postProcess(json) {
      const { items, additionalItems, ...rest } = (json ?? {}) as JsonSchema
      if (!Array.isArray(items)) return json
      return { ...rest, prefixItems: items, items: additionalItems ?? false } as JsonSchema7Type
    },
  }) as JsonSchema
}

/**
 * A schema with an id is written as a reference into `$defs`, also at the root. This puts the root back in its place.
 */
export function inlineRoot(json: JsonSchema): JsonSchema {
  const name = typeof json.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(json.$ref)?.[1] : undefined
  if (name === undefined) return json
  const { $ref, ...rest } = json
  return { ...rest, ...(json.$defs as Record<string, JsonSchema>)[name] }
}

/** Freezes a value and all that is in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
