import type { ToolUseContext } from '#05-build-tool/tool.ts'
import { BackgroundCommands } from './background.ts'

/** What Bash remembers from one call to the next, in the session's state under the key `bash`. */
export interface BashSession {
  /** Where the last command ended: the next one starts there. */
  cwd: string
  background: BackgroundCommands
}

/** The session's part of Bash. It is made when it is first asked for. */
export function bashSession(context: ToolUseContext): BashSession {
  const known = context.getAppState().bash as BashSession | undefined
  if (known) return known
  const session: BashSession = { cwd: context.cwd, background: new BackgroundCommands() }
  context.setAppState((state) => ({ ...state, bash: session }))
  return session
}

/** The session ends, and with it whatever it has in the background. */
export async function endBashSession(context: ToolUseContext): Promise<void> {
  await bashSession(context).background.dispose()
}
