import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { include: ['chapters/*/tests/**/*.test.ts'] } })
