import { byNames, type ProgramTable, table } from './table.ts';

const help = '--help --version';

const copyOptions = `-fiLHnPpuvxT -a@tree -r@tree -R@tree -d -S=text -t=write@target --archive@tree --recursive@tree --no-dereference
  --dereference --force --interactive --no-clobber --update?text --verbose --preserve?text --no-preserve=text
  --parents@ask --reflink?text --sparse=text --suffix=text --target-directory=write@target --no-target-directory
  --strip-trailing-slashes --one-file-system --backup?text -b --attributes-only --remove-destination -l@ask -s@ask
  --link@ask --symbolic-link@ask ${help}`;

/** Programs on files and folders. */
export const filePrograms: ReadonlyMap<string, ProgramTable> = byNames({
  ls: table(
    'stat',
    'stat',
    `-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I=text -w=text -T=text --all --almost-all --author --escape --block-size=text
     --ignore-backups --color?text --directory --dired --classify?text --file-type --format=text --full-time
     --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference --hide=text
     --hyperlink?text --indicator-style=text --inode --ignore=text --kibibytes --numeric-uid-gid --literal
     --hide-control-chars --show-control-chars --quote-name --quoting-style=text --reverse --recursive --size --sort=text
     --time=text --time-style=text --tabsize=text --width=text --context --zero ${help}`,
  ),
  tree: table(
    'stat',
    'stat',
    `-adflxDFhipsugqrtUvnCSJX -L=text -P=text -I=text -o=write -H=text -T=text --dirsfirst --filelimit=text --noreport --prune --gitignore --charset=text --sort=text --du --si ${help}`,
  ),
  stat: table(
    'text',
    'stat',
    `-Lfrstx -c=text --dereference --file-system --format=text --printf=text --terse ${help}`,
  ),
  file: table(
    'text',
    'read',
    `-bchiIkLlNnprsSvzZ0 -F=text -P=text --brief --mime --mime-type --mime-encoding --separator=text --no-dereference --dereference --extension ${help}`,
  ),
  du: table(
    'stat',
    'stat',
    `-abcDhHklLmPsSx0 -B=text -d=text -t=text -X=read --all --apparent-size --block-size=text --bytes --total
     --max-depth=text --human-readable --si --summarize --separate-dirs --one-file-system --exclude=text
     --exclude-from=read --time?text --time-style=text --threshold=text --inodes --null --files0-from=ask ${help}`,
  ),
  df: table(
    'text',
    'stat',
    `-ahHiklPTv -B=text -t=text -x=text --all --block-size=text --human-readable --si --inodes --local --portability --output?text --total --type=text --exclude-type=text --print-type ${help}`,
  ),
  'realpath readlink': table(
    'text',
    'stat',
    `-efmnqsvLPz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose
     --zero --strip --no-symlinks --logical --physical --relative-to=stat --relative-base=stat ${help}`,
  ),
  basename: table('text', 'text', `-az -s=text --multiple --suffix=text --zero ${help}`),
  dirname: table('text', 'text', `-z --zero ${help}`),
  pathchk: table('text', 'text', `-pP --portability ${help}`),
  tee: table('text', 'write', `-aip --append --ignore-interrupts --output-error?text ${help}`),
  touch: table(
    'text',
    'write',
    `-acfhm -d=text -t=text -r=stat --date=text --no-create --no-dereference --reference=stat --time=text ${help}`,
  ),
  truncate: table('text', 'write', `-co -s=text -r=stat --no-create --io-blocks --size=text --reference=stat ${help}`),
  mkdir: table('text', 'write', `-pv -m=text --parents --verbose --mode=text ${help}`),
  rmdir: table('text', 'remove', `-pv --ignore-fail-on-non-empty --parents --verbose ${help}`),
  unlink: table('text', 'remove', help),
  rm: table(
    'text',
    'remove',
    `-dfiIPrRvx --force --interactive?text --one-file-system --preserve-root --recursive --dir --verbose ${help}`,
  ),
  cp: table('text', 'copy', copyOptions),
  mv: table(
    'text',
    'remove',
    `-fiInuvTbZ -S=text -t=write@target --force --interactive --no-clobber --update?text --verbose --suffix=text --backup?text --target-directory=write@target --no-target-directory --strip-trailing-slashes ${help}`,
  ),
  ln: table(
    'text',
    'copy',
    `-bfhinrsvPT -S=text -t=write@target --force --interactive --no-dereference --relative --symbolic --verbose --suffix=text --backup?text --target-directory=write@target --no-target-directory --physical ${help}`,
  ),
  install: table('text', 'ask'),
  chmod: table(
    'text',
    'text remove',
    `-cfhvR --changes --silent --quiet --verbose --no-preserve-root@ask --preserve-root --recursive --reference=stat@script ${help}`,
  ),
  mktemp: table(
    'text',
    'write',
    `-dqtu -V -p=write --directory --dry-run --quiet --suffix=text --tmpdir?write ${help}`,
  ),
  'gzip gunzip': table(
    'text',
    'write',
    `-cdfhklnqtvV -N@ask -# -r@ask -S=text --stdout --to-stdout --decompress --uncompress --force --keep --list --no-name --name@ask --quiet --recursive@ask --suffix=text --test --verbose --fast --best ${help}`,
  ),
  'bzip2 bunzip2 xz unxz zstd unzstd': table(
    'text',
    'write',
    '-cdfkqtvz -# --stdout --decompress --compress --force --keep --test --verbose --quiet --list -l -T?text --threads?text',
  ),
  zip: table('text', 'write follow', '-rqvjuoXyD0123456789 -i=text -x=text'),
  zipinfo: table('text', 'read', '-12smlvhtTz'),
  patch: table('ask', 'ask', '', {}),
});
