import type { Mistake } from '#support/mistake.ts'

export default [
] satisfies Mistake[]
