export interface McpToolsOptions {
  /** What the server is called in its tools' names, and in what is said about it. */
  serverName: string
  /** How long the server may say nothing to a request, in milliseconds: 60,000 unless you say otherwise. */
  silenceMs?: number
  /** How long a call may take in all, whatever it says meanwhile, in milliseconds: 600,000 unless you say otherwise. */
  maxCallMs?: number
  /** Is told, for a person, which tools were left out, and why. */
  onWarning?(warning: string): void
}

export const SILENCE_MS = 60_000
export const MAX_CALL_MS = 600_000
