import { defineConfig } from 'vitest/config'
import { allChapters } from './scripts/lib/chapters.ts'

const SERVER_CONDITIONS = ['module', 'node', 'development|production']

/** For editors: their Vitest extension runs every chapter's tests on the learner's code, as `npm test N` does. */
export default defineConfig({
  test: {
    projects: [
      ...allChapters().map(({ name, condition }) => ({
        resolve: { conditions: [condition, ...SERVER_CONDITIONS] },
        ssr: { resolve: { conditions: [condition, ...SERVER_CONDITIONS] } },
        test: {
          name,
          include: [`chapters/${name}/tests/**/*.test.ts`],
          isolate: false,
          env: { WORKSHOP_CONDITIONS: condition },
        },
      })),
      {
        test: {
          name: 'workshop',
          include: ['scripts/lib/**/*.test.ts', 'chapters/support/tests/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
