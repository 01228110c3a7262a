import { byNames, type ProgramTable, table } from './table.ts';

/** Options of everything that prints differences or commits. `--output`, `--ext-diff` and `--textconv` are left out. */
const differences = `-p -u -s -R -a -b -w -W -M?text -C?text -D -B?text -z -U=text -S=text -G=text -l=text -# --patch --no-patch --raw --patch-with-raw
  --patch-with-stat --stat?text --numstat --shortstat --dirstat?text --cumulative --summary --compact-summary --name-only
  --name-status --submodule?text --color?text --no-color --color-moved?text --no-color-moved --color-words?text
  --word-diff?text --word-diff-regex=text --no-renames --rename-empty --no-rename-empty --check --full-index --binary
  --abbrev?text --no-abbrev --find-renames?text --find-copies?text --find-copies-harder --irreversible-delete --minimal
  --patience --histogram --anchored=text --diff-algorithm=text --diff-filter=text --pickaxe-all --pickaxe-regex
  --relative?text --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change
  --ignore-all-space --ignore-blank-lines --inter-hunk-context=text --function-context --exit-code --quiet -q
  --no-ext-diff --no-textconv --ignore-submodules?text --src-prefix=text --dst-prefix=text --no-prefix --line-prefix=text
  --unified=text --merge-base --cached --staged --cc -c --combined-all-paths --indent-heuristic --text -O=ask
  --no-index@ask --output=ask --ext-diff@ask --textconv@ask --ita-invisible-in-index`;

const commits = `-n=text -i -E -F -P -g -m -t -L=text -1 --oneline --graph --decorate?text --no-decorate --all --branches?text --tags?text
  --remotes?text --glob=text --exclude=text --max-count=text --skip=text --since=text --after=text --until=text
  --before=text --author=text --committer=text --grep=text --all-match --invert-grep --regexp-ignore-case
  --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=text --max-parents=text
  --first-parent --reverse --topo-order --date-order --author-date-order --no-walk?text --do-walk --walk-reflogs --merge
  --boundary --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --simplify-merges --full-history
  --dense --sparse --ancestry-path?text --show-pulls --follow --pretty?text --format=text --abbrev-commit
  --no-abbrev-commit --date=text --relative-date --parents --children --show-signature@ask --source --full-diff
  --log-size --notes?text --no-notes --expand-tabs?text --no-expand-tabs --encoding=text --no-mailmap --mailmap --use-mailmap
  --reflog --simplify-by-decoration --remove-empty --diff-merges=text --no-diff-merges --remerge-diff --count --objects
  --stdin@ask --show-linear-break?text --since-as-filter=text --clear-decorations --decorate-refs=text
  --decorate-refs-exclude=text`;

const list = `--format=text --sort=text --contains?text --no-contains?text --merged?text --no-merged?text --points-at=text --count=text
  --color?text --column?text --no-column --ignore-case -i`;

const log = table('text', 'text', `${commits} ${differences}`);

/**
 * What a session may ask git: each subcommand that reads, with the options that only read. Some of them write in other
 * forms, such as `branch NAME`; `git` says which operands they take.
 */
export const gitTables: ReadonlyMap<string, ProgramTable> = byNames({
  shortlog: table(
    'text',
    'text',
    '-s -n -e -c -w?text --summary --numbered --email --committer --group=text --format=text --all --no-merges --merges --since=text --until=text --after=text --before=text --author=text --grep=text --branches?text --tags?text --first-parent --max-count=text',
  ),
  'log show whatchanged': table('text', 'text', `${commits} ${differences} -e -s`),
  reflog: table('text', 'text', `${commits} ${differences}`),
  'diff diff-tree diff-index diff-files': table(
    'text',
    'text',
    `${differences} -r -t -m --root --pretty?text --no-commit-id --always --base --ours --theirs -0 -1 -2 -3`,
  ),
  status: table(
    'text',
    'text',
    '-s -b -v -u?text -z --short --branch --show-stash --porcelain?text --long --verbose --untracked-files?text --ignore-submodules?text --ignored?text --column?text --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?text',
  ),
  'blame annotate': table(
    'text',
    'text',
    '-b -c -e -f -k -l -n -p -s -t -w -M?text -C?text -L=text -S=ask --root --show-stats --score-debug --show-name --show-number --show-email --porcelain --line-porcelain --incremental --date=text --since=text --reverse --first-parent --ignore-rev=text --ignore-revs-file=ask --color-lines --color-by-age --abbrev?text --progress --no-progress --contents=ask --encoding=text',
  ),
  'ls-files': table(
    'text',
    'text',
    '-c -d -m -o -i -s -u -k -t -v -f -z -x=text -X=read --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --deduplicate --exclude=text --exclude-from=read --exclude-per-directory=text --exclude-standard --error-unmatch --with-tree=text --full-name --recurse-submodules --abbrev?text --debug --sparse --format=text',
  ),
  'ls-tree': table(
    'text',
    'text',
    '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev?text --format=text',
  ),
  'rev-parse': table(
    'text',
    'text',
    '-q --verify --quiet --short?text --abbrev-ref?text --symbolic --symbolic-full-name --all --branches?text --tags?text --remotes?text --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --git-path=text --path-format=text --revs-only --no-revs --flags --no-flags --not --show-object-format?text --disambiguate=text --since=text --until=text --local-env-vars --shared-index-path --show-ref-format --default=text --prefix=text --sq',
  ),
  'rev-list': log,
  grep: table(
    'text',
    'text',
    '-n -i -w -l -L -c -h -H -o -v -a -I -E -G -F -P -p -W -q -z -e=text@script -f=ask -A=text -B=text -C=text -# --line-number --ignore-case --word-regexp --files-with-matches --name-only --files-without-match --count --only-matching --invert-match --text --extended-regexp --basic-regexp --fixed-strings --perl-regexp --show-function --function-context --quiet --heading --break --color?text --no-color --column --full-name --cached --after-context=text --before-context=text --context=text --and --or --not --all-match --max-depth=text --recursive -r --no-recursive --threads=text --max-count=text -m=text --untracked@ask --no-index@ask --no-exclude-standard@ask --exclude-standard -O@ask --open-files-in-pager?ask --textconv@ask --recurse-submodules --null',
  ),
  describe: table(
    'text',
    'text',
    '--all --tags --contains --abbrev?text --candidates=text --exact-match --debug --long --match=text --exclude=text --always --first-parent --dirty?text --broken?text',
  ),
  'cat-file': table(
    'text',
    'text',
    '-t -s -e -p --batch-check?text --batch-all-objects --unordered --textconv@ask --filters@ask --batch@ask',
  ),
  'merge-base name-rev': table(
    'text',
    'text',
    '-a --all --octopus --independent --is-ancestor --fork-point --tags --refs=text --exclude=text --name-only --no-undefined --always',
  ),
  'for-each-ref show-ref': table(
    'text',
    'text',
    `${list} --heads --branches --tags --verify -d -q --dereference --hash?text --abbrev?text --head --quiet -s --exists --exclude=text`,
  ),
  'count-objects': table('text', '', '-v -H --verbose --human-readable'),
  'check-ignore check-attr check-ref-format check-mailmap': table(
    'text',
    'text',
    '-v -n -q -a -z --verbose --non-matching --quiet --all --no-index --cached --source=text --branch --normalize --allow-onelevel --refspec-pattern',
  ),
  'version help': table('text', 'text', '--build-options -a -g --all --guides'),
  'cherry range-diff': table(
    'text',
    'text',
    `-v ${differences} --abbrev?text --creation-factor=text --no-dual-color --left-only --right-only`,
  ),
  branch: table(
    'text',
    'text',
    `-a -r -v -q -l --all --remotes --list --show-current --verbose --quiet --abbrev?text --no-abbrev ${list}`,
  ),
  tag: table('text', 'text', `-l -n?text --list ${list}`),
  remote: table('text', 'text', '-v --verbose'),
  stash: table('text', 'text', `${differences} ${commits} --include-untracked --only-untracked`),
  config: table(
    'text',
    'text',
    '-l -z --list --get --get-all --get-regexp --get-urlmatch --local --global --system --worktree --show-origin --show-scope --name-only --null --type=text --bool --int --bool-or-int --path --includes --no-includes --default=text --all --regexp --value=text --fixed-value --url=text',
  ),
  worktree: table('text', 'text', '-v -z --porcelain --verbose'),
  submodule: table('text', 'text', '--cached --recursive --quiet'),
  notes: table('text', 'text', '--ref=text'),
  bisect: table('text', 'text'),
  var: table('text', 'text', '-l'),
  apply: table(
    'text',
    'read',
    '--check --stat --numstat --summary -p=text -R --reverse -v --verbose -3 --3way --cached --index --recount --unidiff-zero --ignore-whitespace --whitespace=text --directory=text --include=text --exclude=text',
  ),
});

/** Subcommands that change the repository or reach another one: code and the person do that. */
export const gitWriters: ReadonlySet<string> = new Set(
  (
    'push commit reset checkout switch restore rebase clean merge cherry-pick revert am add rm mv pull fetch clone init replace ' +
    'filter-branch filter-repo gc prune update-ref update-index symbolic-ref read-tree write-tree commit-tree hash-object ' +
    'sparse-checkout lfs subtree bundle archive send-email svn daemon credential difftool mergetool instaweb maintenance fsck ' +
    'repack pack-refs rerere citool gui request-pull format-patch ls-remote remote-https credential-store credential-cache ' +
    'upload-pack receive-pack http-backend shell imap-send mktag mktree unpack-objects index-pack fast-export stage'
  ).split(' '),
);
