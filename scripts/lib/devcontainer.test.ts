import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const here = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const json = (name: string) => JSON.parse(readFileSync(here(name), 'utf8'))

const container = json('.devcontainer/devcontainer.json')
const manifest = json('package.json')
const { extensions, settings } = container.customizations.vscode as {
  extensions: string[]
  settings: Record<string, unknown>
}

/** What each extension needs to be of use here. */
const NEEDS: Record<string, { dependency: string; file: string }> = {
  'biomejs.biome': { dependency: '@biomejs/biome', file: 'biome.json' },
  'vitest.explorer': { dependency: 'vitest', file: 'vitest.config.ts' },
}

it('starts from a Node that the workshop runs on', () => {
  const node = /^mcr\.microsoft\.com\/devcontainers\/typescript-node:(\d+)$/.exec(container.image)
  const oldest = /^>=(\d+)\.\d+$/.exec(manifest.engines.node)
  expect(Number(node?.[1])).toBeGreaterThanOrEqual(Number(oldest?.[1]))
})

it('installs by a command that finds its lock file', () => {
  expect(container.postCreateCommand).toBe('npm ci')
  expect(existsSync(here('package-lock.json'))).toBe(true)
})

it.for(extensions)('has what the extension %s needs', (extension) => {
  const { dependency, file } = NEEDS[extension]
  expect(manifest.devDependencies).toHaveProperty([dependency])
  expect(existsSync(here(file))).toBe(true)
})

it('formats with an extension that it installs', () => {
  const formatters = JSON.stringify(settings).match(/"editor\.defaultFormatter":"([^"]+)"/g)!
  for (const formatter of formatters) expect(extensions).toContain(formatter.split('"')[3])
})

it('holds no secret and no variable of anybody', () => {
  expect(Object.keys(container).sort()).toEqual(['customizations', 'image', 'name', 'postCreateCommand'])
})
