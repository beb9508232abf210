import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import {
  type AnySchema,
  deepFreeze,
  inlineRoot,
  isZod4,
  type JsonSchema,
  kindOf,
  shapeOf,
  zod3ToJsonSchema,
} from '../given/zod-majors.ts'

/** What the Messages API takes for the name of a field. */
const FIELD_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

/** What has been converted already, by its schema. An entry goes when its schema goes. */
const converted = new WeakMap<AnySchema, Anthropic.Tool.InputSchema>()

/**
 * The `input_schema` of a tool for the Messages API: what the model must send, in JSON Schema draft 2020-12.
 *
 * - A schema of Zod 4 or of Zod 3, each by its own converter. `$schema` is left out; `$defs` and local `$ref`s stay.
 * - It is the *input* side: a field with a default need not be sent. A refinement or a transform behind the object
 *   changes nothing.
 * - The root says `type: 'object'` itself, also where it has an id (see `inlineRoot`).
 * - A schema is converted once. The same schema gives the same object, which is frozen through and through.
 *
 * Throws a TypeError, which names what came and says what to do, for
 * - a root that is not one object with named fields: a union, an intersection, a record, a list, `z.any()`, no schema;
 * - a field whose name the API refuses (see FIELD_NAME);
 * - a field that cannot be written as JSON Schema, such as a date, and one that the converter left out or made up.
 */
export function toInputSchema(schema: AnySchema): Anthropic.Tool.InputSchema {
  // TODO(task 1): Refuse what the API refuses, convert the rest once, and check that no field got lost.
  throw new Error('TODO(task 1): toInputSchema')
}

/** `convert`, with an error that names the field. Throws a TypeError. */
function convertFields(schema: AnySchema, shape: Record<string, AnySchema>): JsonSchema {
  try {
    return convert(schema)
  } catch (error) {
    const name = Object.keys(shape).find((name) => !canConvert(shape[name]))
    const reason = error instanceof Error ? error.message : String(error)
    if (name === undefined) throw new TypeError(`The schema cannot be written as JSON Schema: ${reason}`)
    throw new TypeError(`The field "${name}" has no form in JSON. Use a string or a number. (${reason})`)
  }
}

function canConvert(schema: AnySchema): boolean {
  try {
    convert(schema)
    return true
  } catch {
    return false
  }
}

/**
 * The JSON Schema of what goes *into* a schema of either major, by the converter made for it. Throws what that throws.
 */
function convert(schema: AnySchema): JsonSchema {
  // TODO(task 1): Give each major to its own converter, and ask for the input side.
  throw new Error('TODO(task 1): convert')
}
