import { describe, expect, it } from 'vitest'
import { findBlanks, toSkeleton } from './skeleton.ts'

const region = (mark: string, indent = '  ') => `${indent}// #region ${mark}\n${indent}secret()\n${indent}// #endregion`
const todo = (name: string, indent = '  ') =>
  `${indent}// TODO(task 1): Do it.\n${indent}throw new Error('TODO(task 1): ${name}')`

describe('toSkeleton', () => {
  it.for<[what: string, owner: string, before: string, after?: string]>([
    ['a function', 'run', 'export function run(a: number): void {'],
    ['an async function', 'run', 'export async function run() {'],
    ['a generator', 'run', 'export function* run() {'],
    ['an async generator', 'run', 'async function* run(): AsyncGenerator<string> {'],
    ['a generic function', 'run', 'export function run<T extends object>(a: T): T {'],
    ['a function whose signature has several lines', 'run', 'export function run(\n  a: number,\n): Promise<void> {'],
    ['a default export', 'run', 'export default async function run() {'],
    ['an arrow constant', 'run', 'export const run = (a: number) => {'],
    ['a typed arrow constant', 'run', 'const run: (a: number) => number = async (a) => {'],
    ['a block inside a function', 'run', 'function run() {\n  given()\n  if (a) {\n    while (b) {', '  }\n  }\n'],
    ['the catch of a function', 'run', 'function run() {\n  try {\n    a()\n  } catch (error) {', '  }\n'],
  ])('names %s in the throw', ([, owner, before, after = '']) => {
    const indent = ' '.repeat(2 + /[ ]*(?=\S*.*$)/.exec(before.split('\n').at(-1)!)![0].length)
    const source = `${before}\n${region('task 1: Do it.', indent)}\n${after}}\n`
    expect(toSkeleton(source, 'a.ts')).toBe(`${before}\n${todo(owner, indent)}\n${after}}\n`)
  })

  it.for<[what: string, owner: string, line: string]>([
    ['a method', 'run', 'run(a: number): void {'],
    ['an async method', 'run', 'override async run() {'],
    ['a generator method', 'run', 'async *run() {'],
    ['a private method', '#run', '#run() {'],
    ['a static method', 'run', 'static run<T>(a: T) {'],
    ['a getter', 'size', 'get size() {'],
    ['a method with a callback', 'run', 'run(done: () => void) {'],
    ['an arrow property', 'run', 'run = async (a: number) => {'],
    ['a method with a signature of several lines', 'run', 'run(\n    a: number,\n  ): void {'],
  ])('names %s in the throw', ([, owner, line]) => {
    const source = `class A {\n  ${line}\n${region('task 1: Do it.', '    ')}\n  }\n}\n`
    expect(toSkeleton(source, 'a.ts')).toBe(`class A {\n  ${line}\n${todo(owner, '    ')}\n  }\n}\n`)
  })

  it.for([
    ['a method', 'call(input) {'],
    ['an async method', 'async call(input: string): Promise<void> {'],
    ['an arrow', 'call: async (input) => {'],
    ['a function', 'call: async function (input) {'],
  ])('names %s of an object literal', ([, line]) => {
    const source = `export const tool = {\n  ${line}\n${region('task 1: Do it.', '    ')}\n  },\n}\n`
    expect(toSkeleton(source, 'a.ts')).toContain(todo('call', '    '))
  })

  it('leaves the TODO line alone where a literal has its entries', () => {
    const source = `const A = {\n${region('task 3, entries: Name them.')}\n}\n`
    expect(toSkeleton(source, 'a.ts')).toBe('const A = {\n  // TODO(task 3): Name them.\n}\n')
  })

  it('blanks every region of a task, and of every task, and keeps the rest', () => {
    const f = (name: string, task: number) => `function ${name}() {\n${region(`task ${task}: Do ${name}.`)}\n}\n`
    const source = `// head\n${f('a', 1)}\n${f('b', 2)}\n// between\n${f('c', 1)}// tail`
    const skeleton = toSkeleton(source, 'a.ts')
    expect(skeleton).not.toContain('secret')
    expect(skeleton).not.toContain('region')
    for (const kept of ['// head\n', '// between\n', '// tail', '(task 1): c', '(task 2): b'])
      expect(skeleton).toContain(kept)
  })

  it.for(['//#region task 1: Do it.', '//  #region task 1: Do it.'])('never lets "%s" through', (mark) => {
    const skeleton = toSkeleton(`function f() {\n  ${mark}\n  secret()\n  //#endregion\n}\n`, 'a.ts')
    expect(skeleton).not.toContain('secret')
  })

  it('is the same text where there is no region', () => {
    expect(toSkeleton('a\r\nb\n', 'a.ts')).toBe('a\r\nb\n')
  })

  it('says where a blank stands in no function', () => {
    expect(() => toSkeleton(`const a = 1\n${region('task 1: Do it.', '')}\n`, 'x/a.ts')).toThrow(/^x\/a\.ts:2: /)
  })
})

describe('findBlanks', () => {
  it('tells the lines, the task and the text', () => {
    const source = `f() {\n${region('task 12: Do it: now.')}\n}\n`
    expect(findBlanks(source, 'a.ts')).toEqual([{ task: 12, text: 'Do it: now.', throws: true, start: 2, end: 3 }])
  })

  it.for<[what: string, line: number, source: string]>([
    ['unclosed', 2, 'a\n// #region task 1: x\nb\n'],
    ['nested', 3, 'a\n// #region task 1: x\n// #region task 2: y\n// #endregion\n// #endregion\n'],
    ['without number', 1, '// #region task: x\n// #endregion\n'],
    ['with a word for a number', 1, '// #region task one: x\n// #endregion\n'],
    ['without text', 2, '\n// #region task 1:\n// #endregion\n'],
    ['without text, save blanks', 1, '// #region task 1:   \n// #endregion\n'],
    ['without colon', 1, '// #region task 1 x\n// #endregion\n'],
    ['with an unknown kind', 1, '// #region task 1, lines: x\n// #endregion\n'],
    ['without anything', 1, '// #region\n// #endregion\n'],
    ['ended twice', 3, '// #region task 1: x\n// #endregion\n// #endregion\n'],
    ['never begun', 1, '  // #endregion\n'],
    ['closed by something else', 1, '// #region task 1: x\n// #endregion of 1\n'],
  ])('refuses a mark that is %s, with its place', ([, line, source]) => {
    expect(() => findBlanks(source, 'x/a.ts')).toThrow(new RegExp(`^x/a\\.ts:${line}: `))
  })
})
