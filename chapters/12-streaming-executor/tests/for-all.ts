import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect } from '#support/test.ts'

/** Checks a law on many random cases, the same ones each time, and shows the smallest that breaks it. */
export async function forAll<T>(cases: fc.Arbitrary<T>, law: (value: T) => Promise<void>, numRuns = 60): Promise<void> {
  const { failed, errorInstance, counterexample } = await fc.check(fc.asyncProperty(cases, law), { seed: 12, numRuns })
  if (!failed) return
  const { message } = errorInstance as Error
  if (message.startsWith('TODO')) throw errorInstance
  expect.fail(`${message}\nwith ${inspect(counterexample![0], { depth: 6, breakLength: 110 })}`)
}
