/** The sentences of the tiny chapter's tests, in order. */
export const SENTENCES = ['doubles a number', 'doubles zero', 'adds all numbers', 'is 0 for no numbers'] as const

/** The tiny chapter's reference: one file, two tasks of two tests each. */
export const SOLUTION = `/** Twice the number. */
export function double(number: number): number {
  // #region task 1: Return twice the number.
  return number * 2
  // #endregion
}

/** The sum of the numbers: 0 for none. */
export async function sum(numbers: number[]): Promise<number> {
  // #region task 2: Add the numbers up.
  let total = 0
  for (const number of numbers) total += number
  return total
  // #endregion
}
`

/** The files of a whole chapter as small as can be, by path from the root. The gate finds no fault with it. */
export function tinyChapter(name: string): Record<string, string> {
  const number = Number(name.slice(0, 2))
  return {
    [`chapters/${name}/solution/numbers.ts`]: SOLUTION,
    [`chapters/${name}/tests/numbers.test.ts`]: testsOf(name),
    [`chapters/${name}/mistakes.ts`]: MISTAKES,
    [`chapters/${name}/demo.ts`]: demoOf(name),
    [`docs/chapters/${name}.md`]: lessonOf(name, number),
  }
}

const testsOf = (name: string) => `import { double, sum } from '#${name}/numbers.ts'
import { describe, expect, it } from '#support/test.ts'

describe('task 1: double', () => {
  it('${SENTENCES[0]}', () => {
    expect(double(3)).toBe(6)
  })

  it('${SENTENCES[1]}', () => {
    expect(double(0)).toBe(0)
  })
})

describe('task 2: sum', () => {
  it('${SENTENCES[2]}', async () => {
    expect(await sum([1, 2, 3])).toBe(6)
  })

  it('${SENTENCES[3]}', async () => {
    expect(await sum([])).toBe(0)
  })
})
`

const MISTAKES = `import type { Mistake } from '#support/mistake.ts'

const [number, zero, all, none] = ${JSON.stringify(SENTENCES).replaceAll('"', "'").replaceAll(',', ', ')}

const mistake = (name: string, old: string, now: string, ...red: string[]): Mistake => {
  return { name, file: 'numbers.ts', old, new: now, red, hint: \`The hint of \${name}.\` }
}

export default [
  mistake('adds-two', 'number * 2', 'number + 2', number, zero),
  mistake('squares', 'number * 2', 'number ** 2', number),
  mistake('triples', 'number * 2', 'number * 3', number),
  mistake('forgets', 'number * 2', 'number', number),
  mistake('never-zero', 'number * 2', 'number * 2 || 1', zero),
  mistake('starts-at-one', 'total = 0', 'total = 1', all, none),
  mistake('multiplies', 'total += number', 'total *= number', all),
  mistake('last-only', 'total += number', 'total = number', all),
]
`

const demoOf = (name: string) => `import { double } from '#${name}/numbers.ts'

// #region call
console.log('twice 4 is', double(4))
// #endregion
`

const lessonOf = (name: string, number: number) => `---
title: Numbers of ${name}
minutes: 30
tasks: 2
---

# ${name}

## What breaks today

\`\`\`ts from="chapters/${name}/demo.ts#call"
console.log('twice 4 is', double(4))
\`\`\`

## The idea

Numbers. See [the check](#check).

## What the real thing does beyond it

## Predict before you code

## Task 1: Double it

<details><summary>Hint 1</summary>

First hint of task 1.

</details>
<details><summary>Hint 2</summary>

Last hint of task 1.

</details>

## Task 2: Add them up

<details><summary>Hint 1</summary>

First hint of task 2.

</details>
<details><summary>Hint 2</summary>

Last hint of task 2.

</details>

## Check

\`npm test ${number}\`

## See it run

## Questions

## Recap
`
