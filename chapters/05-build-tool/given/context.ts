import type { AppState, ToolUseContext } from './tool-types.ts'

/** A context with nothing in it but a folder: for tests and demos, to be filled in as needed. */
export function createContext(cwd: string, overrides: Partial<ToolUseContext> = {}): ToolUseContext {
  let state: AppState = {}
  return {
    cwd,
    abortController: new AbortController(),
    readFileState: new Map(),
    getAppState: () => state,
    setAppState: (update) => {
      state = update(state)
    },
    options: { tools: [], isNonInteractiveSession: true },
    ...overrides,
  }
}
