import { availableParallelism } from 'node:os'
import { createVitest } from 'vitest/node'
import { ROOT } from '../chapters.ts'
import { discard } from '../discard.ts'
import { type GatePart, Tally } from './part.ts'

/** The unit tests of the workshop's own scripts and of what its chapters share. */
export const units: GatePart = {
  name: 'units',
  title: "the workshop's own scripts",
  async run() {
    const tally = new Tally()
    const vitest = await createVitest(
      'test',
      {
        root: ROOT,
        config: false,
        watch: false,
        include: ['scripts/lib/**/*.test.ts', 'chapters/support/tests/**/*.test.ts'],
        // Most of the time a test waits for a command that it started.
        maxWorkers: availableParallelism() + 1,
        testTimeout: 60_000,
        hookTimeout: 60_000,
        reporters: [{}],
      },
      { logLevel: 'silent', clearScreen: false },
      { stdout: discard(), stderr: discard() },
    )
    try {
      await vitest.start()
      for (const module of vitest.state.getTestModules()) {
        for (const error of module.errors()) tally.count(`${module.relativeModuleId}: ${error.message}`)
        for (const suite of module.children.allSuites())
          for (const error of suite.errors())
            tally.count(`${module.relativeModuleId} "${suite.fullName}": ${error.message}`)
        for (const test of module.children.allTests()) {
          const { state, errors } = test.result()
          const words = errors?.map((error) => `${error.message}\n${error.diff ?? ''}`).join('\n')
          if (state === 'skipped') continue
          tally.count(state !== 'passed' ? `${module.relativeModuleId} "${test.fullName}"\n${words}` : undefined)
        }
      }
    } finally {
      await vitest.close()
    }
    return tally.report(`${tally.passed + tally.failures.length} tests`)
  },
}
