import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readOptions } from './options.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = readFileSync(join(root, 'docs/classroom-workflow.yml'), 'utf8')
const workflow = parse(text)
const { steps } = workflow.jobs['run-autograding-tests'] as { steps: Array<Record<string, any>> }
const commands = steps.flatMap((step) => (step.run as string | undefined)?.trim().split('\n') ?? [])

describe('the workflow for a class', () => {
  it('has the names that GitHub Classroom looks for, and one job', () => {
    expect(workflow.name).toBe('Autograding Tests')
    expect(Object.keys(workflow.jobs)).toEqual(['run-autograding-tests'])
  })

  it('may read the repository, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(text).not.toMatch(/secrets\.|GITHUB_TOKEN|pull_request_target/)
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with['persist-credentials'])).toEqual([false, false])
  })

  it('takes actions by their major version', () => {
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
  })

  it('calls scripts that there are, with words that they know', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const runs = commands.flatMap((command) => /^npm run ([\w:]+)(?: --)?(.*)$/.exec(command) ?? [])
    expect(runs[1]).toBe('grade')
    const file = (scripts.grade as string).split(' ').at(-1)!
    expect(existsSync(join(root, file))).toBe(true)
    const options = readOptions(runs[2].trim().split(' '), '/job/workshop')
    expect(options).toMatchObject({ submissions: '/job/submission', out: '/job/marks', points: true })
  })

  it('publishes the files that are written', () => {
    const published = commands.flatMap((command) => /marks\/(points\.\w+)/.exec(command)?.[1] ?? [])
    expect(published).toEqual(['points.md', 'points.txt', 'points.json'])
  })

  it('has the words for the reporter of Classroom in a comment', () => {
    const [, commented] = /^( +# - uses: [\s\S]*)/m.exec(text)!
    const [step] = parse(commented.replaceAll(/^ +# /gm, ''))
    const { id } = steps.at(-1)!
    expect(step.with.runners).toBe(id)
    expect(step.env).toEqual({ [`${id.toUpperCase()}_RESULTS`]: `\${{ steps.${id}.outputs.result }}` })
  })
})
