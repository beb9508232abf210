import { isWindows, type Place, realRoot, withSlashes } from './places.ts'
import type { PathWorld } from './types.ts'

/** Folders whose files make programs run, or say what an agent may do. */
const FOLDERS = '.git .claude .vscode .idea .husky .cargo .devcontainer .yarn .mvn'

/** Files of that kind. */
const FILES = `.gitconfig .gitmodules .mcp.json .claude.json .ripgreprc .npmrc .yarnrc .yarnrc.yml .envrc .profile
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout .inputrc .vimrc
  .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc
  .pre-commit-config.yaml lefthook.yml .lefthook.yml .devcontainer.json gradle-wrapper.properties
  maven-wrapper.properties pyrightconfig.json .editrc .netrc`

const PROTECTED = new Set(`${FOLDERS} ${FILES}`.split(/\s+/))

/**
 * The protected name in a place, or undefined: a write there asks in every mode but `bypassPermissions`, whatever a rule
 * allows. It may stand anywhere below the workspace (or, outside of it, anywhere in the path), in the typed path or the
 * real one. Capitals make no difference anywhere: a disk that takes `.GIT` for `.git` may be mounted on any system.
 */
export function protectedName(place: Place, world: PathWorld): string | undefined {
  const slashed = (path: string) => withSlashes(path, world).replace(/\/+$/, '')
  const roots = world.roots.flatMap((root) => [slashed(root), slashed(realRoot(root, world))])
  for (const path of [place.typed, place.real].map(slashed)) {
    const root = roots.find((folder) => path.startsWith(`${folder}/`)) ?? ''
    const names = path.slice(root.length).split('/')
    const found = names.map((name) => plainName(name, world)).find((name) => PROTECTED.has(name))
    if (found) return found
  }
  return undefined
}

/** A name without what some file systems overlook: capitals, invisible characters, Windows' dots and blanks at the end. */
function plainName(name: string, world: PathWorld): string {
  const visible = name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  return isWindows(world) ? visible.replace(/[. ]+$/, '') : visible
}
