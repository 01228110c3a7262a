import { byNames, type ProgramTable, table } from './table.ts';

const help = '--help --version';

const grepOptions = `-abcEFGhHiIlLnoPqsTUvVwxyzZ -# -r@tree -R@ask -e=text@script -f=read@script -m=text -A=text -B=text -C=text
  -d=text@ask -D=text --regexp=text@script --file=read@script --extended-regexp --fixed-strings --basic-regexp
  --perl-regexp --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match
  --max-count=text --byte-offset --line-number --line-buffered --with-filename --no-filename --label=text
  --only-matching --quiet --silent --binary-files=text --text --directories=text@ask --devices=text --recursive@tree
  --dereference-recursive@ask --include=text --exclude=text --exclude-from=read --exclude-dir=text
  --files-without-match --files-with-matches --count --initial-tab --null --before-context=text --after-context=text
  --context=text --color?text --colour?text --binary --unix-byte-offsets ${help}`;

/** Programs that read text and print it, after the manuals of GNU and BSD; an option that differs between them is left out. */
export const textPrograms: ReadonlyMap<string, ProgramTable> = byNames({
  cat: table(
    'text',
    'read',
    `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${help}`,
  ),
  tac: table('text', 'read', `-br -s=text --before --regex --separator=text ${help}`),
  'head tail': table(
    'text',
    'read',
    `-qvzfFr -# -n=text -c=text -s=text --pid=text --bytes=text --lines=text --quiet --silent --verbose --zero-terminated
     --follow?text --retry --sleep-interval=text --max-unchanged-stats=text ${help}`,
  ),
  wc: table(
    'text',
    'read',
    `-clmLw --bytes --chars --lines --max-line-length --words --total=text --files0-from=ask ${help}`,
  ),
  nl: table(
    'text',
    'read',
    `-p -b=text -d=text -f=text -h=text -i=text -l=text -n=text -s=text -v=text -w=text --body-numbering=text
     --section-delimiter=text --footer-numbering=text --header-numbering=text --line-increment=text
     --join-blank-lines=text --number-format=text --no-renumber --number-separator=text --starting-line-number=text
     --number-width=text ${help}`,
  ),
  diff: table(
    'text',
    'follow',
    `-abBcdeEilnNpqrstTuwyZ -# -r@tree -C=text -U=text -F=text -I=text -L=text -D=text -S=text -W=text -x=text -X=read
     --normal --brief --report-identical-files --context?text --unified?text --ed --rcs --side-by-side --width=text
     --left-column --suppress-common-lines --show-c-function --show-function-line=text --label=text --expand-tabs
     --initial-tab --tabsize=text --suppress-blank-empty --recursive@tree --no-dereference --new-file
     --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude=text --exclude-from=read
     --starting-file=text --from-file=follow --to-file=follow --ignore-case --ignore-tab-expansion --ignore-trailing-space
     --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=text --text
     --strip-trailing-cr --line-format=text --minimal --horizon-lines=text --speed-large-files --color?text ${help}`,
  ),
  cmp: table(
    'text',
    'read read text',
    `-bls -i=text -n=text --print-bytes --ignore-initial=text --verbose --bytes=text --silent --quiet ${help}`,
  ),
  comm: table(
    'text',
    'read',
    `-123iz --check-order --nocheck-order --output-delimiter=text --total --zero-terminated ${help}`,
  ),
  cut: table(
    'text',
    'read',
    `-nsz -b=text -c=text -d=text -f=text --bytes=text --characters=text --delimiter=text --fields=text --complement
     --only-delimited --output-delimiter=text --zero-terminated ${help}`,
  ),
  tr: table('text', 'text', `-cCdst --complement --delete --squeeze-repeats --truncate-set1 ${help}`),
  fold: table('text', 'read', `-bcs -w=text --bytes --spaces --width=text ${help}`),
  fmt: table(
    'text',
    'read',
    `-cstu -# -w=text -p=text -g=text --width=text --prefix=text --goal=text --split-only --crown-margin --uniform-spacing ${help}`,
  ),
  'expand unexpand': table('text', 'read', `-ai -# -t=text --tabs=text --all --first-only --initial ${help}`),
  column: table(
    'text',
    'read',
    `-txneJLR -c=text -s=text -o=text -N=text -H=text -T=text --table --separator=text --output-separator=text
     --output-width=text --columns=text --fillrows --json --table-columns=text ${help}`,
  ),
  paste: table('text', 'read', `-sz -d=text --delimiters=text --serial --zero-terminated ${help}`),
  join: table(
    'text',
    'read',
    `-iz -1=text -2=text -a=text -e=text -j=text -o=text -t=text -v=text --ignore-case --check-order --nocheck-order
     --header --zero-terminated ${help}`,
  ),
  rev: table('text', 'read', help),
  strings: table(
    'text',
    'read',
    `-afow -# -n=text -t=text -e=text --all --bytes=text --radix=text --encoding=text --print-file-name ${help}`,
  ),
  od: table(
    'text',
    'read',
    `-abcdfilosvx -A=text -j=text -N=text -S=text -t=text -w?text --address-radix=text --skip-bytes=text --read-bytes=text
     --strings?text --format=text --output-duplicates --width?text --endian=text ${help}`,
  ),
  'hexdump hd': table('text', 'read', `-bcCdoxv -n=text -s=text -e=text -f=read ${help}`),
  xxd: table('text', 'read write', '-aAbCeEiptuv -c=text -g=text -l=text -n=text -o=text -s=text -r@ask'),
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum': table(
    'text',
    'read',
    `-btz -c@ask --check@ask --binary --tag --text --zero --ignore-missing --quiet --status --strict --warn ${help}`,
  ),
  'shasum cksum sum md5': table(
    'text',
    'read',
    `-bqrst -a=text --algorithm=text --binary --text --tag --untagged --base64 --raw ${help}`,
  ),
  'base64 base32': table('text', 'read', `-di -w=text --decode --ignore-garbage --wrap=text ${help}`),
  'grep egrep fgrep': table('text', 'text read', grepOptions),
  'zcat bzcat xzcat gzcat': table('text', 'read', '-f -q'),
  rg: table(
    'tree',
    'text tree',
    `-abcFHhiIlLnNopPqsSTUvVwxz0. -. -u@ask -e=text@script -f=read@script -g=text -t=text -T=text -A=text -B=text
     -C=text -d=text -E=text -j=text -m=text -M=text -r=text --regexp=text@script --file=read@script --glob=text
     --iglob=text --type=text --type-not=text --after-context=text --before-context=text --context=text
     --max-depth=text --maxdepth=text --encoding=text --threads=text --max-count=text --max-columns=text --replace=text
     --color=text --colors=text --sort=text --sortr=text --files@stat --files-with-matches --files-without-match
     --type-list@text --hidden --no-hidden --follow@ask --no-ignore@ask --no-ignore-vcs@ask --count --count-matches
     --fixed-strings --ignore-case --case-sensitive --smart-case --invert-match --word-regexp --line-regexp
     --line-number --no-line-number --column --heading --no-heading --no-filename --with-filename --only-matching
     --multiline --multiline-dotall --pcre2 --passthru --pretty --quiet --stats --trim --vimgrep --json --null --text
     --no-messages --no-config --crlf --stop-on-nonmatch --max-filesize=text ${help}`,
  ),
  sort: table(
    'text',
    'read',
    `-bcCdfghimMnrRsuVz -k=text -o=write -S=text -t=text -T=write --ignore-leading-blanks --dictionary-order
     --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort
     --random-sort --random-source=read --reverse --sort=text --version-sort --batch-size=text --check?text
     --compress-program=ask --debug --files0-from=ask --key=text --merge --output=write --stable --buffer-size=text
     --field-separator=text --temporary-directory=write --parallel=text --unique --zero-terminated ${help}`,
  ),
  shuf: table(
    'text',
    'read',
    `-erz -e@text -i=text -n=text -o=write --echo@text --input-range=text --head-count=text --output=write
     --random-source=read --repeat --zero-terminated ${help}`,
  ),
  uniq: table(
    'text',
    'read write',
    `-cdDiuz -# -f=text -s=text -w=text --count --repeated --all-repeated?text --skip-fields=text --group?text
     --ignore-case --skip-chars=text --unique --zero-terminated --check-chars=text ${help}`,
  ),
  jq: table(
    'text',
    'text read',
    `-aceijnrRsSVC -M -f=ask -L=ask --null-input --raw-input --slurp --compact-output --raw-output --raw-output0
     --join-output --ascii-output --sort-keys --color-output --monochrome-output --tab --indent=text --unbuffered
     --stream --stream-errors --seq --exit-status --from-file=ask --arg==text --argjson==text --slurpfile==read
     --rawfile==read --args@ask --jsonargs@ask ${help}`,
  ),
  yq: table(
    'text',
    'text read',
    `-CeMnNPrsV -i@write -o=text -p=text -I=text --inplace@write --output-format=text --input-format=text --null-input --prettyPrint --no-colors --exit-status --indent=text ${help}`,
  ),
  split: table(
    'write',
    'read write',
    `-deuxz -# -a=text -b=text -C=text -l=text -n=text -t=text --suffix-length=text --additional-suffix=ask --bytes=text
     --line-bytes=text --numeric-suffixes?text --hex-suffixes?text --elide-empty-files --filter=ask --lines=text
     --number=text --separator=text --unbuffered --verbose ${help}`,
  ),
  csplit: table(
    'text',
    'read text',
    `-kqsz -b=ask -f=write -n=text --suffix-format=ask --prefix=write --keep-files --suppress-matched --digits=text --quiet --silent --elide-empty-files ${help}`,
  ),
  iconv: table(
    'text',
    'read',
    `-cls -f=text -t=text -o=write --from-code=text --to-code=text --list --output=write ${help}`,
  ),
  shellcheck: table(
    'text',
    'read',
    `-aCx -e=text -f=text -i=text -o=text -s=text -S=text -W=text -V --check-sourced --color?text --include=text --exclude=text --format=text --enable=text --shell=text --severity=text --norc ${help}`,
  ),
});
