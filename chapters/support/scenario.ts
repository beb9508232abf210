import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from './scenario/near-miss.ts'
import { PROBLEMS } from './scenario/problems.ts'
import { readYaml, ScenarioError } from './scenario/read-yaml.ts'
import { type Scenario, scenarioSchema } from './scenario/schema.ts'

export { SAMPLES } from './scenario/problems.ts'
export { ScenarioError } from './scenario/read-yaml.ts'
export { type Scenario, type Turn, toPattern } from './scenario/schema.ts'

/** Where the scenarios are. */
export const SCENARIOS = fileURLToPath(new URL('../14-agent/given/scenarios', import.meta.url))
/** The one that is played when nobody chooses. */
export const DEFAULT_SCENARIO = 'find-the-bug'

/**
 * Reads the text of a scenario file. Throws a ScenarioError that has a line for each fault: the file and line, the field,
 * what was expected and what came, and what the key or name may have been meant to be.
 */
export function parseScenario(text: string, fileName: string): Scenario {
  const { value: scenario, fault } = readYaml(text, { fileName, schema: scenarioSchema })
  const faults = PROBLEMS.flatMap((find) =>
    [...find(scenario, fileName)].map(([path, problem]) => fault(path, problem)),
  )
  if (faults.length > 0) throw new ScenarioError(faults)
  return scenario
}

/** All scenarios of chapter 14, the default one first. Throws the ScenarioError of the first that has a fault. */
export function listScenarios(): Scenario[] {
  return scenarioNames().map((name) => readScenario(join(SCENARIOS, `${name}.yaml`)))
}

/**
 * The scenario of that name, or that file: a word that ends in `.yaml` or `.yml` is a path, from `cwd` on. Throws an
 * Error that lists what there is, one that says that the file cannot be read, or the ScenarioError of its faults.
 */
export function findScenario(word: string, cwd = process.cwd()): Scenario {
  if (/\.ya?ml$/.test(word)) return readScenario(resolve(cwd, word), word)
  const names = scenarioNames()
  if (names.includes(word)) return readScenario(join(SCENARIOS, `${word}.yaml`))
  throw new Error(
    `There is no scenario ${JSON.stringify(word)}.${nearest(word, names)} There are: ${names.join(', ')}.`,
  )
}

function readScenario(path: string, shown = basename(path)): Scenario {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`The scenario file ${shown} cannot be read: ${(error as Error).message}`)
  }
  return parseScenario(text, shown)
}

function scenarioNames(): string[] {
  const names = readdirSync(SCENARIOS).flatMap((file) => (file.endsWith('.yaml') ? [basename(file, '.yaml')] : []))
  return names.sort((a, b) => Number(b === DEFAULT_SCENARIO) - Number(a === DEFAULT_SCENARIO) || (a < b ? -1 : 1))
}
