import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Limits, runContained } from './contained.ts'
import { findSandbox } from './sandbox.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-contained-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
process.env.A_SECRET = 'secret'

const LIMITS: Limits = { memory: 1024 ** 3, reports: 100_000, silence: 20_000, step: 20_000, whole: 30_000 }
let made = 0

/** Runs a module's text in a place of its own, and tells how it ended and what it reported. */
async function run(
  code: string,
  limits: Partial<Limits> = {},
  wrap = (command: string[], _place: string) => command,
  seenAs?: string,
) {
  const place = join(root, `place-${made++}`)
  for (const name of ['stage', 'home', 'tmp']) mkdirSync(join(place, name), { recursive: true })
  writeFileSync(
    join(place, 'stage/code.mjs'),
    `import fs from 'node:fs'\nconst say = (text) => fs.writeSync(3, text + '\\n')\n${code}`,
  )
  const lines: string[] = []
  const ending = await runContained({
    ...{ command: wrap([process.execPath, 'code.mjs'], place), place, seenAs },
    ...{ marker: `marker-${made}`, input: 'the job' },
    limits: { ...LIMITS, ...limits },
    onLine: (line) => {
      lines.push(line)
      return line === 'sign' ? 'sign' : 'step'
    },
  })
  return { ending, lines, place }
}

/** Whether a process is there and more than a remainder that waits to be buried. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe.concurrent('runContained', () => {
  it('hands over the job, and hands out what is reported', async () => {
    const { ending, lines } = await run(`say(fs.readFileSync(0, 'utf8')); say('two'); console.log('not this')`)
    expect(ending).toBe('ended')
    expect(lines).toEqual(['the job', 'two'])
  })

  it('gives no environment but what is needed', async () => {
    const { lines, place } = await run('say(JSON.stringify([process.env, process.cwd()]))')
    const [env, cwd] = JSON.parse(lines[0])
    expect(cwd).toBe(join(place, 'stage'))
    expect(env).toMatchObject({ HOME: join(place, 'home'), TMPDIR: join(place, 'tmp') })
    const known = ['CI', 'HOME', 'LANG', 'NODE_OPTIONS', 'NO_COLOR', 'PATH', 'TMPDIR', 'WORKSHOP_GRADE']
    expect(Object.keys(env).sort()).toEqual(known.sort())
  })

  it('ends what goes on for too long without a step', async () => {
    const { ending, lines } = await run(`say('one'); for (;;) {}`, { step: 600 })
    expect([ending, lines]).toEqual(['time', ['one']])
  })

  it('ends what gives no sign of life, and what gives signs and takes no step', async () => {
    const silent = run(`say('one'); setInterval(() => {}, 1000)`, { silence: 600 })
    const idle = run(`say('one'); setInterval(() => say('sign'), 100)`, { silence: 5000, step: 900 })
    expect([(await silent).ending, (await idle).ending]).toEqual(['time', 'time'])
    expect((await idle).lines.length).toBeGreaterThan(2)
  })

  it('ends what takes too long in all, steps or not', async () => {
    const { ending } = await run(`setInterval(() => say('step'), 100)`, { whole: 900 })
    expect(ending).toBe('time')
  })

  it('ends what reports without end', async () => {
    const { ending } = await run(`for (;;) say('x'.repeat(1000))`)
    expect(ending).toBe('reports')
  })

  it('does not mind what is printed without end', async () => {
    const { ending, lines } = await run(`for (let i = 0; i < 2000; i++) console.log('x'.repeat(10_000)); say('done')`)
    expect([ending, lines]).toEqual(['ended', ['done']])
  })

  it.runIf(process.platform === 'linux')('ends what takes too much memory, also outside of the heap', async () => {
    const code = 'const all = []; setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 20)'
    expect((await run(code, { memory: 300_000_000 })).ending).toBe('memory')
  })

  it.runIf(process.platform === 'linux')(
    'ends those left behind: in the group, in a session of their own, without the marker',
    async () => {
      const { lines } = await run(`
      import { spawn } from 'node:child_process'
      const start = (options) => { const child = spawn('sleep', ['300'], { stdio: 'ignore', ...options }); child.unref(); say(child.pid) }
      start({})
      start({ detached: true })
      start({ detached: true, env: {} })
      start({ detached: true, cwd: '/' })
      process.exit(0)`)
      expect(lines).toHaveLength(4)
      expect(lines.filter((pid) => isAlive(Number(pid)))).toEqual([])
    },
  )

  it('tells of a program that cannot be started as of one that ended', async () => {
    expect((await run('', {}, () => [join(root, 'gone')])).ending).toBe('ended')
  })
})

const sandbox = findSandbox()

describe.runIf(sandbox)('the sandbox', () => {
  it('lets nobody write, read what is hidden, or reach the network outside', async () => {
    const hidden = join(root, 'hidden')
    mkdirSync(hidden)
    writeFileSync(join(hidden, 'secret.txt'), 'secret')
    const outside = join(process.cwd(), `.outside-${process.pid}`)
    const code = `
      import net from 'node:net'
      const tell = (what, action) => { try { say(what + ' ' + action()) } catch (error) { say(what + ' ' + error.code) } }
      tell('in', () => process.cwd())
      tell('own', () => fs.writeFileSync(process.env.TMPDIR + '/a', '') ?? 'yes')
      tell('stage', () => fs.writeFileSync('code.mjs', ''))
      try { fs.writeFileSync('${outside}', '') } catch {}
      tell('hidden', () => fs.readFileSync('${hidden}/secret.txt', 'utf8'))
      tell('others', () => fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 10)
      tell('parent', () => process.kill(${process.pid}, 0))
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        say('loopback yes')
        server.close()
      })
      net.connect(80, '192.0.2.1').on('error', (error) => say('network ' + error.code))`
    const inSandbox = (command: string[], folder: string) =>
      sandbox!.wrap(command, {
        ...{ folder, chdir: 'stage', readOnly: ['stage/code.mjs'] },
        ...{ root: process.cwd(), hidden: [hidden] },
      })
    const { lines } = await run(code, {}, inSandbox, sandbox!.folder)
    const said = [
      `in ${sandbox!.folder}/stage`,
      'own yes',
      'stage EROFS',
      'hidden ENOENT',
      'others true',
      'parent ESRCH',
    ]
    expect(lines.sort()).toEqual([...said, 'loopback yes', 'network ENETUNREACH'].sort())
    expect(existsSync(join(hidden, 'secret.txt'))).toBe(true)
    expect(existsSync(outside)).toBe(false)
  })
})
