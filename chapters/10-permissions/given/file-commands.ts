import { resolve } from 'node:path'
import type { Redirect, Word } from '#08-bash/parse.ts'
import { baseOf, type Part } from './bash-parts.ts'
import type { PathWorld } from './types.ts'

/** A file that a command uses. */
export interface FileUse {
  use: 'read' | 'edit'
  /** The path, or undefined where only the shell can tell. */
  path: string | undefined
  /** As it is written. */
  source: string
  glob: boolean
  /** False: the word may be a path or something else; only rules that deny or ask look at it. */
  sure: boolean
  /** What uses it. */
  by: 'redirect' | 'command'
}

const READ_ALL =
  'cat tac head tail less more nl wc stat file ls du tree sort uniq cut diff cmp comm od xxd hexdump strings base64 cd pushd md5sum sha1sum sha256sum sha512sum cksum b2sum readlink realpath basename source .'
const READ_REST = 'grep egrep fgrep rg ag sed awk gawk jq'
const EDIT_ALL = 'rm rmdir unlink mkdir touch tee truncate mv shred'
const EDIT_REST = 'chmod chown chgrp'
const EDIT_LAST = 'cp ln install rsync'
const WORDS_ONLY = 'echo printf true false test type which command'

const listed = (list: string, name: string) => list.split(' ').includes(name)

/** The files that a simple command names. */
export function filesOf(part: Part, world: PathWorld): FileUse[] {
  const [name, ...words] = seenThrough(part.words)
  const command = baseOf(name?.value ?? '')
  if (!name || listed(WORDS_ONLY, command)) return []
  const end = words.findIndex(({ value }) => value === '--')
  const isFlag = (word: Word, index: number) => word.source.startsWith('-') && (end === -1 || index < end)
  const operands = words.filter((word, index) => !isFlag(word, index) && index !== end)
  const flags = words.filter(isFlag).map(({ source }) => source)
  const values = words.filter((word, index) => isFlag(word, index) && word.source.includes('=')).map(valueOfFlag)
  const use = (list: Word[], kind: 'read' | 'edit', sure: boolean) =>
    list.map((word) => ({ ...fileIn(word, world), use: kind, sure, by: 'command' as const }))
  const unsure = use(values, 'read', false)
  const [first, ...rest] = operands

  if (command === 'sed' && flags.some((flag) => /^-\w*i|^--in-place/.test(flag))) return use(operands, 'edit', true)
  if (listed(READ_ALL, command)) return [...use(operands, 'read', true), ...unsure]
  if (listed(READ_REST, command)) {
    return [...use(first ? [first] : [], 'read', false), ...use(rest, 'read', true), ...unsure]
  }
  if (command === 'find') {
    const until = words.findIndex((word) => /^[-(!]/.test(word.source))
    return [...use(words.slice(0, until === -1 ? undefined : until), 'read', true), ...use(operands, 'read', false)]
  }
  if (listed(EDIT_ALL, command)) return [...use(operands, 'edit', true), ...use(values, 'edit', false)]
  if (listed(EDIT_REST, command)) return use(rest, 'edit', true)
  if (listed(EDIT_LAST, command)) {
    const last = operands.slice(-1)
    return [...use(operands.slice(0, -1), 'read', true), ...use([...last, ...values], 'edit', true)]
  }
  return [...use(operands, 'read', false), ...unsure]
}

/** The file that a redirection opens, or undefined where it opens none: `2>&1`. */
export function fileOfRedirect({ operator, target }: Redirect, world: PathWorld): FileUse | undefined {
  if (!target) return undefined
  if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.source)) return undefined
  const use = operator === '<' ? 'read' : 'edit'
  return { ...fileIn(target, world), use, sure: true, by: 'redirect' }
}

/**
 * The folders in which a part may use files that it doesn't name, all that lies in them: what it searches, copies or
 * removes with all that is below, and where xargs and find hand it names that nobody sees here.
 */
export function sweptBy(part: Part, world: PathWorld): FileUse[] {
  const [name, ...words] = seenThrough(part.words)
  const command = baseOf(name?.value ?? '')
  const flags = words.map(({ source }) => source).filter((source) => source.startsWith('-'))
  const operands = words.filter(({ source }) => !source.startsWith('-'))
  const sweep = (list: readonly Word[], use: 'read' | 'edit'): FileUse[] => {
    const here: Word = { source: 'the current folder', value: '.', glob: false }
    const folders = list.length > 0 ? list : [here]
    return folders.map((word) => ({ ...fileIn(word, world), use, sure: true, by: 'command' }))
  }
  const edits = listed(`${EDIT_ALL} ${EDIT_REST}`, command)
  const isDeep = flags.some((flag) => /^-\w*[rRa]|^--(?:rec|der|arc)|recurse/.test(flag))
  const isHanded = part.words.some(({ value }) => baseOf(value ?? '') === 'xargs') && name !== part.words[0]
  if (isHanded || (command === 'find' && flags.some((flag) => /^-(?:exec|ok)/.test(flag)))) {
    return sweep(command === 'find' ? operands.slice(0, 1) : [], edits ? 'edit' : 'read')
  }
  if (listed('rg ag ack', command)) return sweep(operands.slice(1), 'read')
  if (command === 'git' && operands[0]?.value === 'grep') return sweep([], 'read')
  if (listed('tar zip 7z scp', command)) return sweep(operands, 'read')
  if (listed('grep egrep fgrep', command) && isDeep) return sweep(operands.slice(1), 'read')
  if (listed('diff cp rsync', command) && isDeep) return sweep(operands, 'read')
  if (command === 'mv' || (edits && isDeep)) return sweep(operands, 'edit')
  return []
}

/** What a part removes. */
export function removedFiles(part: Part, world: PathWorld): FileUse[] {
  const [name, ...words] = seenThrough(part.words)
  if (!listed('rm rmdir unlink shred', baseOf(name?.value ?? ''))) return []
  const operands = words.filter(({ source }) => !source.startsWith('-'))
  return operands.map((word) => ({ ...fileIn(word, world), use: 'edit', sure: true, by: 'command' }))
}

/**
 * The folders in which the commands of a line may run, as far as the cds in it tell: the first is `start`. `unknown`:
 * there may be others.
 */
export function foldersOf(parts: readonly Part[], start: string, world: PathWorld): Folders {
  const folders = new Set([start])
  let unknown = false
  for (const { words } of parts) {
    const [name, ...rest] = seenThrough(words)
    if (!['cd', 'pushd', 'popd', 'chdir'].includes(name?.value ?? '')) continue
    const target = rest.find(({ source }) => !/^-./.test(source))
    const path = target && !target.glob && target.value !== '-' ? fileIn(target, world).path : undefined
    if (path === undefined || folders.size > MAX_FOLDERS) unknown = true
    else for (const folder of [...folders]) folders.add(resolve(folder, path))
  }
  return { folders: [...folders], unknown }
}

export interface Folders {
  folders: string[]
  unknown: boolean
}

const MAX_FOLDERS = 32

function fileIn(word: Word, world: PathWorld): Pick<FileUse, 'path' | 'source' | 'glob'> {
  return { path: word.value ?? homePath(word.source, world), source: word.source, glob: word.glob }
}

/** A path whose only unknown is the home folder or the current one: `~/x`, `$HOME/x`, `"$HOME"/x`, `$PWD/x`. */
function homePath(source: string, world: PathWorld): string | undefined {
  const [, start, rest] = /^"?(~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})("?(?:\/.*)?"?)$/s.exec(source) ?? []
  if (start === undefined || !/^[\w./@%+:,*?"-]*$/.test(rest)) return undefined
  return `${start.includes('PWD') ? '.' : world.home}${rest.replaceAll('"', '')}`
}

/** What stands behind the `=` of a flag. */
function valueOfFlag({ source, value }: Word): Word {
  const behind = (text: string) => text.slice(text.indexOf('=') + 1)
  return { source: behind(source), value: value === undefined ? undefined : behind(value), glob: false }
}

/** The words from the program on that a wrapper runs, as far as it is one that names files. */
function seenThrough(words: readonly Word[]): readonly Word[] {
  const known = `${READ_ALL} ${READ_REST} ${EDIT_ALL} ${EDIT_REST} ${EDIT_LAST} find`
  const wrapper = /^(?:timeout|time|nice|nohup|stdbuf|command|builtin|exec|env|sudo|doas|xargs|setsid|ionice|flock)$/
  if (!wrapper.test(baseOf(words[0]?.value ?? ''))) return words
  const at = words.findIndex(({ value }, index) => index > 0 && listed(known, baseOf(value ?? '')))
  return at === -1 ? words : words.slice(at)
}
