import { checkSearch } from './checks.ts'
import type { Arguments, CommandPolicy } from './policy.ts'

const DIFF_FLAGS =
  '-p -u -a -b -w -R -z --patch --no-patch -s --raw --numstat --shortstat --summary --name-only --name-status --patch-with-stat --patience --histogram --minimal --no-color --no-renames --full-index --binary --text --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --function-context -W --exit-code --quiet -q --no-ext-diff --no-textconv --check --pickaxe-all --pickaxe-regex --no-prefix --cc -c -m --compact-summary --no-indent-heuristic --find-copies-harder'
const DIFF_OPTIONAL =
  '--stat --color --color-words --color-moved --word-diff --abbrev --relative --dirstat -M -C -B -D --find-renames --find-copies --submodule --ignore-submodules'
const DIFF_VALUES =
  '-U --unified -S -G --diff-filter --inter-hunk-context --diff-algorithm --word-diff-regex --src-prefix --dst-prefix'
const LOG_FLAGS = `${DIFF_FLAGS} --oneline --graph --all --merges --no-merges --first-parent --follow --reverse --topo-order --date-order --author-date-order --no-decorate --abbrev-commit --no-abbrev-commit --left-right --cherry --cherry-pick --cherry-mark --full-history --simplify-by-decoration --source --boundary -i -E -F -P --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --all-match --invert-grep --no-walk --relative-date --parents --children --no-notes --walk-reflogs -g --clear-decorations`
const LOG_OPTIONAL = `${DIFF_OPTIONAL} --decorate --format --pretty --branches --tags --remotes --notes --show-notes`
const LOG_VALUES = `${DIFF_VALUES} -n -L --max-count --skip --since --after --until --before --author --committer --grep --date --encoding --min-parents --max-parents --ancestry-path --decorate-refs --decorate-refs-exclude --exclude --glob`

const DIFF: CommandPolicy = {
  flags: `${DIFF_FLAGS} --cached --staged --no-index --merge-base --ours --theirs --base`,
  optional: DIFF_OPTIONAL,
  values: DIFF_VALUES,
  check: checkSearch,
}
const LOG: CommandPolicy = {
  flags: LOG_FLAGS,
  optional: LOG_OPTIONAL,
  values: LOG_VALUES,
  number: true,
  check: checkFormat,
}
/** Flags that select what is listed. Without one of them an operand of branch or tag is a name to create. */
const SELECTING = '--contains --no-contains --merged --no-merged --points-at'

/** git, as far as it only looks. Its configuration is trusted, but only where the session is: `-C` and the like ask. */
export const GIT: CommandPolicy = {
  flags: '--no-pager --no-optional-locks --version -P',
  bare: true,
  subcommands: {
    status: {
      flags:
        '-s -b -v -z --short --branch --long --verbose --show-stash --ahead-behind --no-ahead-behind --renames --no-renames',
      optional: '-u --porcelain --untracked-files --ignored --ignore-submodules --column --find-renames',
    },
    log: LOG,
    whatchanged: LOG,
    shortlog: {
      ...LOG,
      flags: `${LOG_FLAGS} -s -n -e -c --summary --numbered --email`,
      values: LOG_VALUES.replace('-n ', ''),
    },
    show: LOG,
    diff: DIFF,
    'diff-tree': { ...DIFF, flags: `${DIFF.flags} -r -t --root --no-commit-id --stdin` },
    'diff-index': DIFF,
    'diff-files': DIFF,
    blame: {
      flags:
        '-b -c -e -f -l -n -p -s -t -w --root --show-stats --porcelain --line-porcelain --incremental --show-name --show-number --show-email',
      optional: '-M -C --color-lines --color-by-age --abbrev',
      values: '-L --since --date --ignore-rev --ignore-revs-file',
    },
    grep: {
      flags:
        '-a -c -E -F -G -P -H -h -I -i -l -L -n -o -p -q -v -w -W -z --cached --untracked --no-index --all-match --and --or --not --count --files-with-matches --files-without-match --name-only --ignore-case --invert-match --word-regexp --line-number --column --break --heading --fixed-strings --extended-regexp --perl-regexp --show-function --function-context --no-color --full-name --exclude-standard --no-exclude-standard --only-matching --text',
      optional: '--color',
      values: '-e -A -B -C -m -f --max-depth --max-count --threads --context --after-context --before-context',
      number: true,
      check: checkSearch,
    },
    branch: {
      flags:
        '-a -r -v -i --all --remotes --verbose --list --show-current --no-color --no-abbrev --no-column --ignore-case',
      optional: '--color --column --abbrev --sort --format',
      values: SELECTING,
      check: (args) => (args.operands.length > 0 ? checkListing(args, '--list') : checkFormat(args)),
    },
    tag: {
      flags: '-l -i --list --no-column --ignore-case',
      optional: '-n --color --column --sort --format',
      values: SELECTING,
      check: (args) => (args.operands.length > 0 ? checkListing(args, '-l', '--list') : checkFormat(args)),
    },
    remote: { bare: true, flags: '-v --verbose', subcommands: { 'get-url': { flags: '--push --all' } } },
    stash: { subcommands: { list: LOG, show: { ...LOG, flags: `${LOG_FLAGS} --include-untracked --only-untracked` } } },
    reflog: { ...LOG, bare: true, subcommands: { show: LOG } },
    worktree: { subcommands: { list: { flags: '-v -z --porcelain --verbose' } } },
    config: {
      flags:
        '--get --get-all --get-regexp --global --local --system --show-origin --show-scope --name-only --bool --int --path -z',
      operands: 2,
      check: ({ flags }) =>
        flags.some((flag) => flag.startsWith('--get')) ? undefined : 'git config may write, unless it is told to --get',
    },
    'ls-files': {
      flags:
        '-c -d -m -o -i -s -u -k -t -v -z --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --eol --deduplicate',
      optional: '--abbrev',
      values: '-x -X --exclude --exclude-from',
    },
    'ls-tree': {
      flags: '-d -r -t -l -z --name-only --name-status --long --full-name --full-tree --object-only',
      optional: '--abbrev',
    },
    'cat-file': { flags: '-t -s -e -p' },
    'rev-parse': {
      flags:
        '-q --verify --quiet --show-toplevel --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-prefix --show-cdup --symbolic --symbolic-full-name --all --show-superproject-working-tree --revs-only --no-revs --sq',
      optional: '--short --abbrev-ref --branches --tags --remotes --show-object-format',
    },
    'rev-list': { ...LOG, flags: `${LOG_FLAGS} --count --objects --no-object-names --quiet` },
    describe: {
      flags: '--all --tags --always --long --exact-match --first-parent --contains --debug',
      optional: '--abbrev --dirty --broken',
      values: '--match --exclude --candidates',
    },
    'merge-base': { flags: '-a --all --is-ancestor --fork-point --octopus --independent' },
    'name-rev': { flags: '--tags --name-only --always --no-undefined' },
    'show-ref': {
      flags: '-q -d -s --head --heads --branches --tags --verify --quiet --dereference',
      optional: '--hash --abbrev',
    },
    'symbolic-ref': { flags: '-q --short --quiet', operands: 1 },
    'for-each-ref': {
      flags: '--ignore-case --shell --perl --python --tcl --omit-empty',
      optional: '--format --sort --count --color',
      values: SELECTING,
      check: checkRefFormat,
    },
    'count-objects': { flags: '-v -H --verbose --human-readable' },
    'check-ignore': { flags: '-q -v -n -z --quiet --verbose --non-matching --no-index' },
    cherry: { flags: '-v', optional: '--abbrev' },
    version: { flags: '--build-options' },
  },
}

/**
 * A format can ask for the state of a signature, and so can an order to sort by; git runs gpg to find out. Between `%` and
 * `G` may stand `+`, `-` or a blank.
 */
function checkFormat({ values }: Arguments): string | undefined {
  const shown = values.filter(({ flag }) => ['--format', '--pretty', '--sort'].includes(flag))
  const signed = shown.find(({ value }) => /%[^%\w(]*G|signature/.test(value))
  return signed && `${signed.flag} asks for signatures, and that runs a program`
}

/** For commands that list refs. There the value of --format or --sort may be the next word: here that is an operand. */
function checkRefFormat(args: Arguments): string | undefined {
  const signed = args.operands.find((operand) => operand.includes('signature'))
  return signed ? `${signed} may ask for signatures, and that runs a program` : checkFormat(args)
}

function checkListing(args: Arguments, ...list: string[]): string | undefined {
  const lists = args.flags.some((flag) => [...list, ...SELECTING.split(' ')].includes(flag))
  return lists ? checkRefFormat(args) : `it would create ${args.operands[0]}`
}
