import { spawn, spawnSync } from 'node:child_process'
import { plain } from '../text.ts'

/** `script` of util-linux makes a terminal of pipes. Where it is missing, what is seen in a terminal cannot be tested. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** How output ends that left the terminal as it was, with exit code 0. */
export const LEFT_AS_IT_WAS = /\[code 0\]\s+icanon\s+echo/

export interface Terminal {
  type(text: string): void
  /** Waits for a text that comes behind what was waited for before. Fails when the program ends without it. */
  shown(text: string): Promise<void>
  /** Waits until what stands on the screen since it was last cleared, without colours, satisfies `predicate`. */
  onScreen(predicate: (screen: string) => boolean): Promise<void>
  /** Waits for the end, and gives all that was shown: LEFT_AS_IT_WAS fits it. */
  ended(): Promise<string>
}

/** Runs a command line in a terminal of 60 rows and so many columns. */
export function terminal(
  line: string,
  { cwd, env, columns = 80 }: { cwd: string; env: NodeJS.ProcessEnv; columns?: number },
): Terminal {
  const inner = `stty cols ${columns} rows 60; ${line}; echo "[code $?]"; stty -a | grep -o -e '-*icanon' -e '-*echo '`
  const child = spawn('script', ['-qefc', inner, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm', NO_COLOR: '1' } })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  let isClosed = false
  child.on('close', () => {
    isClosed = true
  })
  let seen = 0
  const until = async (isThere: () => boolean, what: string) => {
    const deadline = Date.now() + PATIENCE_MS
    while (!isThere()) {
      if (isClosed || Date.now() > deadline) {
        child.kill()
        throw new Error(`${what} did not come in:\n${output.slice(-2000)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return {
    type: (text) => void child.stdin.write(text),
    async shown(text) {
      await until(() => output.slice(seen).includes(text), `"${text}"`)
      seen = output.indexOf(text, seen) + text.length
    },
    onScreen: (predicate) =>
      until(() => predicate(plain(output.slice(output.lastIndexOf(CLEAR) + 1))), predicate.toString()),
    async ended() {
      await until(() => isClosed, 'the end')
      return output
    },
  }
}

const CLEAR = '\x1b[2J'
/** Less than a test may take, so that whoever waits in vain learns what was shown in place of it. */
const PATIENCE_MS = 40_000
