import { describe, expect, test } from 'vitest';
import { isHarmlessAwk, isHarmlessFilter, isHarmlessSed } from '../../../src/gates/tools/scriptText.ts';

describe('a sed script', () => {
  test.each([
    '1,20p',
    '$=',
    '10q',
    '/^$/d',
    '/start/,/end/p',
    's/a/b/',
    's|http://a|https://b|g',
    's/[[:space:]]*$//',
    's/\\/x/y/2',
    ':a;N;$!ba;s/\\n/ /g',
    '1i // header',
    '/x/{s/a/b/;p}',
    'y/abc/xyz/',
  ])('%j is harmless', (script) => expect(isHarmlessSed(script)).toBe(true));

  test.each([
    'w out',
    '1,5w out',
    's/a/b/w out',
    's/a/b/gw out',
    's/a/id/e',
    '1e id',
    'e',
    'r .env',
    '$R .env',
    's,x,y,;w out',
    '/x/{w out\n}',
    's/[/]/w out/',
    's/[^]/]/w out/',
    'y/a/b/;r x',
    '1a\\\nw out',
    's/a/b',
    's\na\nb\nw x',
  ])('%j is not known to be harmless', (script) => expect(isHarmlessSed(script)).toBe(false));
});

describe('an awk program', () => {
  test.each([
    '{print $1}',
    'NR>=10 && NR<=20',
    '{s+=$1} END {print s/NR}',
    '!seen[$0]++',
    '/foo|bar/{print $0}',
    '{printf "%s\\t%s\\n", $1, $2}',
    '{c[$1]++} END {for (k in c) print k, c[k]}',
    'length($0) > 80',
    '$3 > 10 {print $1}',
    'BEGIN{FS=","} {print toupper($3)}',
  ])('%j is harmless', (program) => expect(isHarmlessAwk(program)).toBe(true));

  test.each([
    '{print > "x"}',
    '{print a,\n b > "x"}',
    '{print $1 | "sh"}',
    'BEGIN{system("id")}',
    'BEGIN{"id" | getline x}',
    'BEGIN{while((getline l < ".env")>0)print l}',
    'BEGIN{print ENVIRON["HOME"]}',
    'BEGIN{ARGV[1]=".env";ARGC=2}{print}',
    '{print a "" / 1 > "f" / 2}',
    '{print /"/ > "f" /"/}',
    '@load "x"',
    'BEGIN{f="system";@f("id")}',
    '{x++ / 1 > "f" / 1}',
    '# "\n{print > "x"}',
  ])('%j is not known to be harmless', (program) => expect(isHarmlessAwk(program)).toBe(false));
});

test.each([
  ['.scripts | keys[]', true],
  ['.a.environment', true],
  ['env', false],
  ['$ENV.HOME', false],
  ['import "x" as x; 1', false],
  ['strenv(HOME)', false],
  ['load(".env")', false],
])('the filter %j is harmless: %s', (filter, expected) => expect(isHarmlessFilter(filter)).toBe(expected));
