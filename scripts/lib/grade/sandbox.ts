import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Puts a command into a sandbox: the command line that runs it there. */
export type Sandbox = (command: string[], place: SandboxPlace) => string[]

export interface SandboxPlace {
  /** The folder that the command may write to. Absolute, without links. */
  folder: string
  /** The folder to start in. */
  chdir: string
  /** Paths that it may only read. */
  readOnly: string[]
  /** The workshop's root, for its installed packages. */
  root: string
  /** Folders that it may not even see. */
  hidden: string[]
}

/**
 * bubblewrap, where it is installed and allowed: the file system read-only but for one folder, the person's own files and
 * the other submissions out of sight, no network but its own loopback, its own processes. Undefined elsewhere.
 */
export function findSandbox(): Sandbox | undefined {
  if (process.platform !== 'linux') return undefined
  const probe = spawnSync('bwrap', [...ALONE, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'])
  return probe.status === 0 ? bubblewrap : undefined
}

const ALONE = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent', '--new-session']

const bubblewrap: Sandbox = (command, { folder, chdir, readOnly, root, hidden }) => {
  const out = (path: string) => (existsSync(path) ? ['--tmpfs', realpathSync(path)] : [])
  const seen = (path: string) => ['--ro-bind', path, path]
  const dark = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/run', homedir(), ...hidden])].filter((path) => path !== '/')
  return [
    ...['bwrap', ...ALONE, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...dark.flatMap(out),
    ...seen(dirname(dirname(realpathSync(process.execPath)))),
    ...seen(realpathSync(join(root, 'node_modules'))),
    ...['--bind', folder, folder, ...readOnly.flatMap(seen), '--chdir', chdir, '--', ...command],
  ]
}
