import { z } from 'zod'
import { type AnyTool, buildTool } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { createContext } from '#support/context.ts'
import type { VirtualClock } from '../given/virtual-clock.ts'

/** A tool that takes `ms` milliseconds on this clock. `Edit` is unsafe, `Fail` throws, all others are safe. */
export function slowTool(name: string, ms: number, clock: VirtualClock): AnyTool {
  return buildTool({
    name,
    inputSchema: z.strictObject({}),
    maxResultSizeChars: 1_000,
    isConcurrencySafe: () => name !== 'Edit',
    isReadOnly: () => name !== 'Edit',
    prompt: async () => `Takes ${ms} ms.`,
    async call(_input, _context, _canUseTool, _message, onProgress) {
      onProgress({ type: 'text', text: `${name} has begun` })
      await clock.sleep(ms)
      if (name === 'Fail') throw new Error('disk full')
      return { data: `${name} took ${ms} ms` }
    },
  })
}

export function pipelineContext(root: string, tools: AnyTool[], more: Partial<PipelineContext> = {}): PipelineContext {
  const options = { tools, isNonInteractiveSession: true }
  return { ...createContext(root, { options }), hooks: {}, resultsDir: `${root}-results`, ...more }
}
