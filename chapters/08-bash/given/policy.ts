import { checkAwk, checkDate, checkJq, checkPrintf, checkPs, checkSearch, checkSed, checkTest } from './checks.ts'
import { GIT } from './policy-git.ts'

/**
 * What a command may be given so that it can't change anything. What isn't here, asks: leave a flag out when in doubt.
 *
 * Flags are exact, `-r` and `--reverse`, in lists with blanks between them. Short ones may be written in a cluster:
 * `-la`. Long ones may not be abbreviated, since what `--out` stands for is the program's to say.
 */
export interface CommandPolicy {
  /** Flags without a value. */
  flags?: string
  /** Flags with a value: `-n 5`, `-n5`, `--lines 5`, `--lines=5`. */
  values?: string
  /** Flags that may have a value, and then only glued to them: `--color=auto`, `-U3`. */
  optional?: string
  /** Whether `-5` is a flag. */
  number?: true
  /** Whether all its arguments are text, dashes or not. */
  text?: true
  /** How many operands there may be at most: arguments that are no flags, and no values. Any number if left out. */
  operands?: number
  /** Whether flags have one dash and are whole words, as find's do: no clusters, no `--x=y`. */
  wholeWords?: true
  /**
   * Whether no flag whatever of this command can write or run anything, also of those that are not listed. Only then may
   * the shell put file names in the place of a pattern: one of them may look like a flag.
   */
  harmless?: true
  /** The first operand is the name of a command of its own, which goes on behind it. */
  subcommands?: Record<string, CommandPolicy>
  /** Whether it may also go without its subcommand. */
  bare?: true
  /** It runs another command, which starts behind this many operands. */
  runsAfter?: number
  /** Whether that command gets arguments that nobody sees here. Then it must be `harmless`. */
  addsArguments?: true
  /** What else must hold. Returns what is wrong. */
  check?(args: Arguments): string | undefined
}

/** A command's arguments, sorted. */
export interface Arguments {
  /** The flags that are there, with and without values. */
  flags: string[]
  /** The values of flags, in their order. */
  values: Array<{ flag: string; value: string }>
  operands: string[]
}

const ANY: CommandPolicy = { harmless: true }
const TEXT: CommandPolicy = { text: true, harmless: true }
/** Prints its version. Not `-v` everywhere: to python that is another flag, and it goes on to run its input. */
const version = (flags: string): CommandPolicy => ({ wholeWords: true, flags, operands: 0, check: needsFlag })
const CHECKSUM: CommandPolicy = { flags: '-b -t -c --check --tag --quiet --status -w', values: '-a', harmless: true }

/** Every command that may run unasked. A name is looked up as it is written: `./ls` and `"ls"` are no `ls`. */
export const COMMANDS: Record<string, CommandPolicy> = {
  // ── the shell ──
  cd: { operands: 1, check: ({ operands }) => checkFolder(operands) },
  pwd: { flags: '-L -P', operands: 0 },
  echo: TEXT,
  printf: { text: true, check: checkPrintf },
  true: TEXT,
  false: TEXT,
  test: { text: true, check: checkTest },
  type: { flags: '-a -t -p -P -f' },
  which: { flags: '-a' },
  command: { flags: '-v -V', check: needsFlag },
  time: { flags: '-p', runsAfter: 0 },
  timeout: { flags: '--preserve-status --foreground', values: '-k --kill-after -s --signal', runsAfter: 1 },
  nice: { values: '-n --adjustment', runsAfter: 0 },

  // ── files ──
  ls: {
    flags:
      '-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all --almost-all --human-readable --reverse --recursive --size --directory --inode --group-directories-first --no-group --numeric-uid-gid --full-time',
    values: '-I -w -T --ignore --hide',
    optional: '--color --sort --time --time-style --format --indicator-style --classify --quoting-style',
    harmless: true,
  },
  cat: {
    flags:
      '-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank',
    harmless: true,
  },
  tac: { flags: '-b -r --before --regex', values: '-s --separator', harmless: true },
  head: { flags: '-q -v -z --quiet --silent --verbose', values: '-n -c --lines --bytes', number: true, harmless: true },
  tail: {
    flags: '-q -v -r -z --quiet --silent --verbose',
    values: '-n -c --lines --bytes',
    number: true,
    harmless: true,
  },
  nl: { values: '-b -f -h -i -l -n -s -v -w', harmless: true },
  wc: { flags: '-c -m -l -L -w --bytes --chars --lines --words --max-line-length', harmless: true },
  stat: { flags: '-L -f -t -x --dereference --file-system --terse', values: '-c --format --printf', harmless: true },
  du: {
    flags: '-a -c -b -h -k -m -s -S -x -L -P -0 --all --total --bytes --human-readable --summarize --apparent-size',
    values: '-d --max-depth --exclude -B --block-size -t --threshold',
    harmless: true,
  },
  df: {
    flags: '-a -h -H -i -k -l -m -P -T --all --human-readable --inodes --local --print-type --total',
    harmless: true,
  },
  file: { flags: '-b -i -I -L -h -k --brief --mime --mime-type --mime-encoding --dereference' },
  readlink: { flags: '-f -e -m -n -q -s -v -z --canonicalize', harmless: true },
  realpath: { flags: '-e -m -L -P -q -s -z', values: '--relative-to --relative-base', harmless: true },
  basename: { flags: '-a -z', values: '-s', harmless: true },
  dirname: { flags: '-z', harmless: true },
  tree: {
    flags:
      '-a -d -f -i -l -x -p -s -h -u -g -D -F -q -N -Q -r -t -c -U -v -n -C -A -S -J -X --dirsfirst --noreport --prune --gitignore --du --si --inodes --device',
    values: '-L -I -P --filelimit',
  },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  shasum: CHECKSUM,
  cksum: CHECKSUM,
  sum: ANY,
  cmp: { flags: '-b -l -s --print-bytes --silent --quiet --verbose', values: '-i -n', harmless: true },
  diff: {
    flags:
      '-a -b -B -c -d -E -e -i -n -N -p -q -r -s -t -T -u -w -y -Z --brief --recursive --new-file --text --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --minimal --report-identical-files --suppress-common-lines --strip-trailing-cr --no-dereference --left-column',
    values: '-C -U -I -x -W --exclude --label -L --width',
    optional: '--color --unified --context',
    check: checkSearch,
  },
  comm: { flags: '-1 -2 -3 -i -z --check-order --nocheck-order --total', values: '--output-delimiter', harmless: true },

  // ── text ──
  grep: {
    flags:
      '-E -F -G -P -a -b -c -h -H -i -I -l -L -n -o -q -r -R -s -T -U -v -w -x -y -z -Z --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --null --text --recursive --dereference-recursive --line-buffered --initial-tab',
    values:
      '-e -f -m -A -B -C --regexp --file --max-count --after-context --before-context --context --include --exclude --exclude-dir --exclude-from --label -d -D --binary-files --directories --devices',
    optional: '--color --colour',
    number: true,
    harmless: true,
    check: checkSearch,
  },
  egrep: {
    flags: '-a -c -h -H -i -l -L -n -o -q -r -s -v -w -x',
    values: '-e -m -A -B -C',
    harmless: true,
    check: checkSearch,
  },
  fgrep: {
    flags: '-a -c -h -H -i -l -L -n -o -q -r -s -v -w -x',
    values: '-e -m -A -B -C',
    harmless: true,
    check: checkSearch,
  },
  rg: {
    flags:
      '-F -H -I -L -N -P -S -U -a -b -c -h -i -l -n -o -p -q -s -u -v -V -w -x -0 -. --files --hidden --no-ignore --no-ignore-vcs --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-regexp --invert-match --files-with-matches --files-without-match --count --count-matches --line-number --no-line-number --no-heading --heading --with-filename --no-filename --only-matching --multiline --multiline-dotall --json --vimgrep --column --stats --trim --pretty --text --follow --pcre2 --quiet --null --type-list --version --no-config --no-messages --unrestricted --one-file-system --passthru --glob-case-insensitive --sort-files',
    values:
      '-A -B -C -E -M -T -e -f -g -m -r -t -d -j --after-context --before-context --context --glob --iglob --type --type-not --regexp --file --max-count --max-depth --max-columns --max-filesize --replace --sort --sortr --encoding --threads --color --colors --context-separator --ignore-file --path-separator',
    check: checkSearch,
  },
  sort: {
    flags:
      '-b -c -C -d -f -g -h -i -M -m -n -R -r -s -u -V -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --month-sort --numeric-sort --random-sort --reverse --stable --unique --version-sort --zero-terminated --merge --check',
    values: '-k -t --key --field-separator',
  },
  uniq: {
    flags: '-c -d -D -i -u -z --count --repeated --unique --ignore-case',
    values: '-f -s -w --skip-fields --skip-chars --check-chars',
    operands: 1,
  },
  cut: {
    flags: '-n -s -z --only-delimited --complement',
    values: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    harmless: true,
  },
  tr: { flags: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1', harmless: true },
  paste: { flags: '-s -z --serial', values: '-d --delimiters', harmless: true },
  join: { flags: '-i -z --header', values: '-1 -2 -a -e -j -o -t -v', harmless: true },
  column: { flags: '-t -x -n -e', values: '-s -o -c -N', harmless: true },
  fold: { flags: '-b -s', values: '-w', harmless: true },
  fmt: { flags: '-c -s -t -u', values: '-w -g -p', number: true, harmless: true },
  expand: { flags: '-i', values: '-t', harmless: true },
  unexpand: { flags: '-a', values: '-t', harmless: true },
  rev: ANY,
  seq: { flags: '-w', values: '-f -s --format --separator', number: true, harmless: true },
  strings: { flags: '-a -f', values: '-n -t -e', harmless: true },
  od: { flags: '-a -b -c -d -i -l -o -s -v -x', values: '-A -j -N -t -w', harmless: true },
  hexdump: { flags: '-b -c -C -d -o -v -x', values: '-n -s', harmless: true },
  xxd: { flags: '-a -b -C -e -E -i -p -u', values: '-c -g -l -s -o', operands: 1 },
  base64: { flags: '-d -D --decode', values: '-w --wrap', operands: 1 },
  base32: { flags: '-d --decode', values: '-w --wrap', operands: 1 },
  sed: { flags: '-n -E -r -s -u -z --quiet --silent --regexp-extended', check: checkSed },
  awk: { values: '-F', check: checkAwk },
  jq: {
    flags:
      '-a -c -C -e -j -M -n -r -R -s -S --ascii-output --compact-output --color-output --exit-status --join-output --monochrome-output --null-input --raw-output --raw-input --slurp --sort-keys --tab --stream --seq',
    values: '--indent',
    check: checkJq,
  },

  // ── finding ──
  find: {
    wholeWords: true,
    flags:
      '-H -L -P ! -not -a -and -o -or -print -print0 -ls -prune -depth -d -mount -xdev -daystart -follow -empty -executable -readable -writable -nouser -nogroup -true -false -quit -noleaf -ignore_readdir_race',
    values:
      '-maxdepth -mindepth -name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -newermt -newerct -newerat -perm -user -group -uid -gid -links -inum -samefile -fstype -used -printf',
  },
  fd: {
    flags:
      '-H -I -u -s -i -g -F -a -L -p -0 -1 -q --hidden --no-ignore --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --follow --full-path --print0 --show-errors --no-ignore-vcs',
    values:
      '-d -t -e -S -E -c -j --max-depth --min-depth --exact-depth --type --extension --size --exclude --color --max-results --changed-within --changed-before',
  },
  xargs: {
    flags: '-0 -r -t -x --null --no-run-if-empty',
    values: '-n -P -L -d -I --max-args --max-procs --delimiter',
    runsAfter: 0,
    addsArguments: true,
    check: ({ values }) => {
      const odd = values.find(({ flag, value }) => flag === '-I' && value !== '{}')
      if (odd) return `xargs puts names in the place of ${odd.value}`
      const cut = values.find(({ flag, value }) => /^(?:-d|--delimiter)$/.test(flag) && !/^\\[n0]$/.test(value))
      return cut && `xargs makes new names where it cuts at ${cut.value}`
    },
  },

  // ── the machine ──
  date: {
    flags: '-u -R --utc --universal --rfc-email',
    values: '-d --date',
    optional: '-I --iso-8601 --rfc-3339',
    check: checkDate,
  },
  whoami: { operands: 0 },
  id: { flags: '-a -g -G -n -r -u --user --group --groups --name --real' },
  groups: {},
  hostname: { flags: '-s', operands: 0 },
  uname: { flags: '-a -s -n -r -v -m -p -i -o --all', operands: 0 },
  arch: { operands: 0 },
  nproc: { flags: '--all', operands: 0 },
  uptime: { flags: '-p -s', operands: 0 },
  free: { flags: '-b -k -m -g -h -t -w', operands: 0 },
  ps: { wholeWords: true, flags: '-A -e -f -ef -eF -F -l', values: '-p -C', check: checkPs },
  lscpu: { operands: 0 },
  cal: { operands: 2 },

  // ── versions: each of these prints its own and loads nothing of the project ──
  node: version('--version -v'),
  npm: version('--version -v'),
  python: version('--version -V'),
  python3: version('--version -V'),
  ruby: version('--version'),
  gcc: version('--version'),
  git: GIT,
}

/** Variables that may be set for one command, and the values that they may have. */
export const SAFE_VARIABLES: Record<string, RegExp> = {
  LANG: /^[\w.-]*$/,
  LC_ALL: /^[\w.-]*$/,
  LC_COLLATE: /^[\w.-]*$/,
  LC_CTYPE: /^[\w.-]*$/,
  TZ: /^[A-Z]+$/,
  NO_COLOR: /^\w*$/,
}

const parsedLists = new Map<string, Set<string>>()

/** Whether a flag, with its dashes, stands in one of a policy's lists. */
export function isListed(list: string | undefined, flag: string): boolean {
  if (list === undefined) return false
  const flags = parsedLists.get(list) ?? new Set(list.split(' '))
  parsedLists.set(list, flags)
  return flags.has(flag)
}

function needsFlag({ flags }: Arguments): string | undefined {
  return flags.length === 0 ? 'it runs what it is given' : undefined
}

/** A folder below the current one: not a way out, not the folder before, and nothing for the shell to find in CDPATH. */
function checkFolder([folder]: string[]): string | undefined {
  const below = folder !== undefined && /^[^-/~]/.test(folder) && !folder.split('/').includes('..')
  return below ? undefined : 'cd may lead out of the folder'
}
