import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findFolders, readSubmissions } from './submissions.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-class-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const CHAPTERS = ['01-one', '02-two']

function write(name: string, content: string | Buffer): string {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
  return join(root, name)
}

/** Reads one submission, and tells its files and its problems in words. */
function read(name: string) {
  const [{ sources, problems }] = readSubmissions([join(root, name)], CHAPTERS)
  const files = [...sources].flatMap(([chapter, texts]) => [...texts.keys()].map((file) => `${chapter}/${file}`))
  return { files, sources, problems: problems.map(({ chapter, text }) => `${chapter ?? ''}: ${text}`) }
}

describe('findFolders', () => {
  const here = (...names: string[]) => names.map((name) => join(root, name))
  write('class/bob/chapters/01-one/src/a.ts', '')
  write('class/ada/chapters/01-one/src/a.ts', '')
  write('class/empty/notes.txt', '')
  write('class/.hidden/chapters/x', '')
  write('class/readme.txt', '')

  it('takes the folders in a folder, in order', () => {
    expect(findFolders(join(root, 'class'))).toEqual(here('class/ada', 'class/bob', 'class/empty'))
  })

  it('takes a copy of the workshop as the only one', () => {
    expect(findFolders(join(root, 'class/bob'))).toEqual(here('class/bob'))
  })

  it('reads a list, counted from its own folder, without comments and repetitions', () => {
    const list = write('lists/class.txt', '# all\r\n../class/bob  # late\r\n\r\n../class/ada\n../class/bob\n')
    expect(findFolders(list)).toEqual(here('class/bob', 'class/ada'))
  })

  it.for<[what: string, path: () => string, words: string]>([
    ['a path that is not there', () => join(root, 'gone'), 'There is no'],
    ['a folder without submissions', () => join(root, 'class/empty'), 'No folder in'],
    ['a list of nothing', () => write('lists/none.txt', '# nobody\n'), 'lists no folder'],
  ])('refuses %s', ([, path, words]) => {
    expect(() => findFolders(path())).toThrow(words)
  })
})

describe('readSubmissions', () => {
  it('takes the .ts files of src/, with \\n for line ends, and nothing else', () => {
    write('plain/chapters/01-one/src/a.ts', 'one\r\ntwo\n')
    write('plain/chapters/01-one/src/deep/b.ts', '\uFEFFbom')
    write('plain/chapters/01-one/src/package.json', '{}')
    write('plain/chapters/01-one/tests/a.test.ts', 'mine')
    write('plain/chapters/01-one/solution/a.ts', 'mine')
    write('plain/chapters/99-other/src/a.ts', '')
    const { files, sources, problems } = read('plain')
    expect(files).toEqual(['01-one/a.ts', '01-one/deep/b.ts'])
    expect(sources.get('01-one')!.get('a.ts')).toBe('one\ntwo\n')
    expect(sources.get('01-one')!.get('deep/b.ts')).toBe('bom')
    expect(problems).toEqual([])
  })

  it('finds the workshop in the one folder of an archive', () => {
    write('archive/workshop-main/chapters/01-one/src/a.ts', '')
    write('archive/__MACOSX/x', '')
    expect(read('archive').files).toEqual(['01-one/a.ts'])
  })

  it('names two of the same name by their parents', () => {
    const folders = ['ada/work', 'bob/work', 'cem'].map((name) => join(root, 'names', name))
    expect(readSubmissions(folders, []).map(({ name }) => name)).toEqual(['ada/work', 'bob/work', 'cem'])
  })

  it('shows no control characters of a name', () => {
    const [{ name }] = readSubmissions([join(root, 'a\u001b[31mb\u0007\u202e')], [])
    expect(name).toBe('ab\uFFFD\uFFFD')
  })

  it('tells of a submission without chapters', () => {
    write('bare/readme.md', '')
    expect(read('bare').problems).toEqual([': chapters is missing.'])
  })

  it.for<[what: string, make: (src: string) => void, problem: RegExp]>([
    [
      'a text that is not UTF-8',
      (src) => writeFileSync(join(src, 'x.ts'), Buffer.from('caf\xe9', 'latin1')),
      /not text in UTF-8/,
    ],
    [
      'a text in UTF-16',
      (src) => writeFileSync(join(src, 'x.ts'), Buffer.from('\uFEFFx', 'utf16le')),
      /not text in UTF-8/,
    ],
    ['a huge file', (src) => writeFileSync(join(src, 'x.ts'), Buffer.alloc(300_000, 'a')), /too large \(300000 bytes/],
    ['a link to a file', (src) => symlinkSync('/etc/passwd', join(src, 'x.ts')), /a symbolic link/],
    ['a link to a folder', (src) => symlinkSync('/etc', join(src, 'x.ts')), /a symbolic link/],
    ['a named pipe', (src) => execFileSync('mkfifo', [join(src, 'x.ts')]), /no regular file/],
    ['folders without end', (src) => mkdirSync(join(src, 'a/b/c/d/e'), { recursive: true }), /lies too deep/],
  ])('tells of %s, and takes the rest', ([what, make, problem]) => {
    const name = `bad ${what}`
    write(`${name}/chapters/01-one/src/a.ts`, 'good')
    make(join(root, name, 'chapters/01-one/src'))
    const { files, problems } = read(name)
    expect(files).toEqual(['01-one/a.ts'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^01-one: src\//)
    expect(problems[0]).toMatch(problem)
  })

  it.for([
    ['the submission', 'linked-a', ''],
    ['chapters/', 'linked-b', 'chapters'],
    ['a chapter', 'linked-c', 'chapters/01-one'],
    ['src/', 'linked-d', 'chapters/01-one/src'],
  ])('does not follow a link in place of %s', ([, name, below]) => {
    write('target/a.ts', 'stolen')
    write('target/src/a.ts', 'stolen')
    write('target/01-one/src/a.ts', 'stolen')
    write('target/chapters/01-one/src/a.ts', 'stolen')
    const path = join(root, name, below)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(root, 'target'), path.replace(/\/$/, ''))
    const { files, problems } = read(name)
    expect(files).toEqual([])
    expect(problems.join()).toContain('symbolic link')
  })

  it('takes no more than a few megabytes of one submission', () => {
    for (let i = 0; i < 30; i++) write(`much/chapters/01-one/src/f${i}.ts`, 'a'.repeat(200_000))
    const { files, problems } = read('much')
    expect(files).toHaveLength(20)
    expect(problems).toHaveLength(10)
  })
})
