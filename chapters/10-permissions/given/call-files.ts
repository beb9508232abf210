import { fixedFolder } from '../../06-reading/given/glob-pattern.ts'
import type { ToolKind } from './tool-names.ts'

/** The field of a tool's input that holds its path. */
const FIELDS = ['file_path', 'notebook_path', 'path']

/** The path in a call, and the field that it stands in; undefined where a search has none, which means the folder. */
export function pathField(input: Record<string, unknown>): { field: string; written: string } | undefined {
  const field = FIELDS.find((name) => typeof input[name] === 'string')
  return field === undefined ? undefined : { field, written: input[field] as string }
}

/**
 * All paths that a call of a file tool names, as they are written. A pattern for names (`Glob`) counts, too, where it
 * leads away from the folder: the part of it before the first wildcard. Undefined: nobody can tell.
 */
export function pathsOf(kind: ToolKind, input: Record<string, unknown>): string[] | undefined {
  const path = pathField(input)?.written
  const isSearch = kind === 'read' && typeof input.pattern === 'string'
  if (!isSearch) return path === undefined ? undefined : [path]
  const folder = path ?? '.'
  const pattern = input.pattern as string
  const isGlob = !('output_mode' in input) && /(?:^|\/)\.\.(?:\/|$)|^[/\\~$]|^[A-Za-z]:/.test(pattern)
  if (!isGlob) return [folder]
  const fixed = fixedFolder(pattern)
  if (pattern.slice(fixed.length).split('/').includes('..')) return undefined
  return [folder, /^[/~]/.test(pattern) ? fixed || '/' : `${folder}/${fixed}`]
}
