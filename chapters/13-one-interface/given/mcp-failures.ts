import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

/** What came of a request that has no result, in a sentence that names the server. Never throws. */
export function sayFailure(error: unknown, { serverName, what }: { serverName: string; what: string }): string {
  const server = `The MCP server "${serverName}"`
  if (error instanceof ProtocolError) return `${server} refused ${what}: ${error.message}`
  if (!(error instanceof SdkError)) {
    const isGone = error instanceof Error && error.message === 'Not connected'
    return isGone ? `${server} is not connected any more.` : `${server} failed at ${what}: ${textOf(error)}`
  }
  if (error.code === SdkErrorCode.ConnectionClosed) {
    return `${server} ended during ${what}. It may have done part of its work.`
  }
  if (error.code === SdkErrorCode.NotConnected) return `${server} is not connected any more.`
  if (error.code === SdkErrorCode.RequestTimeout) {
    return `${server} did not answer ${what} in time. It may have done part of its work, or be at it still.`
  }
  return `${server} gave an answer to ${what} that is none: ${error.message}`
}

function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error)
  } catch {
    return 'an error that cannot be shown'
  }
}
