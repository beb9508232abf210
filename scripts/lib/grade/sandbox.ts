import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Sandbox {
  /** Where a command finds its folder: the same path for each, so that one can use what another made for its paths. */
  readonly folder: string
  /** The command line that runs a command in it. */
  wrap(command: string[], place: SandboxPlace): string[]
}

export interface SandboxPlace {
  /** The folder that the command may write to, as it is called outside. Absolute, without links. */
  folder: string
  /** Below it: the folder to start in. */
  chdir: string
  /** Below it: paths that the command may only read. */
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
  if (probe.status !== 0) return undefined
  // In a folder that is hidden, and so is empty inside.
  const folder = join(realpathSync(tmpdir()), 'workshop-submission')
  return { folder, wrap: (command, place) => bubblewrap(command, place, folder) }
}

const ALONE = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent', '--new-session']

function bubblewrap(command: string[], place: SandboxPlace, inside: string): string[] {
  const { folder, chdir, readOnly, root, hidden } = place
  const out = (path: string) => (existsSync(path) ? ['--tmpfs', realpathSync(path)] : [])
  const seen = (path: string, as = path) => ['--ro-bind', path, as]
  const dark = [...new Set([tmpdir(), '/tmp', '/var/tmp', '/run', homedir(), ...hidden])].filter((path) => path !== '/')
  return [
    ...['bwrap', ...ALONE, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...dark.flatMap(out),
    ...seen(dirname(dirname(realpathSync(process.execPath)))),
    ...seen(realpathSync(join(root, 'node_modules'))),
    ...['--bind', folder, inside],
    ...readOnly.flatMap((path) => seen(join(folder, path), join(inside, path))),
    ...['--chdir', join(inside, chdir), '--', ...command],
  ]
}
