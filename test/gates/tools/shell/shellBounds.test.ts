import { expect, test } from 'vitest';
import { seeShell } from '../../../support/shellSight.ts';

const longest = 128 * 1024;

/** As many of these as fit into the longest text that is read. */
function fill(unit: string, start = '', end = ''): string {
  return start + unit.repeat(Math.floor((longest - start.length - end.length) / unit.length)) + end;
}

const loops = (count: number) => 'for x in 1 2 3 4 5 6 7 8; do '.repeat(count);

const boundMs = 500;

/** Processor time of this process for a text, in milliseconds. */
function cost(text: string): number {
  const start = process.cpuUsage();
  seeShell(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The lowest of up to three costs: a busy machine only ever adds to one, up to five times as much. */
function lowestCost(text: string): number {
  let lowest = cost(text);
  for (let again = 0; again < 2 && lowest >= boundMs; again += 1) lowest = Math.min(lowest, cost(text));
  return lowest;
}

test.each<[string, string]>([
  ['a megabyte', 'a;'.repeat(500_000)],
  ['100,000 substitutions', '$('.repeat(100_000)],
  ['brackets', fill('(')],
  ['groups', fill('{ ')],
  ['backticks', fill('`')],
  ['100,000 changes of folder', 'cd d;'.repeat(100_000)],
  ['changes of folder that fit', fill('cd .;')],
  ['changes to ever new folders', Array.from({ length: 10_000 }, (_, index) => `cd d${index}`).join(';')],
  ['conditional changes of folder', fill('cd .&&', '', 'a')],
  ['a sequence of a million', 'a {1..1000000}'],
  ['sixty-four words of each', fill('a {b,c}{d,e}{f,g}{h,i}{j,k}{l,m};')],
  ['braces that multiply', fill('{a,b}', 'a ')],
  ['open braces', fill('{', 'a ')],
  ['empty braces', fill('{}', 'a ')],
  ['commas in braces', fill(',', 'a {', '}')],
  ['assignments', fill('x=1;')],
  ['ever new variables', Array.from({ length: 10_000 }, (_, index) => `x${index}=1`).join(';')],
  ['uses of a variable', fill('a $x;', 'x=1;')],
  ['nested loops', `${loops(8)}x=$x$x${'; done'.repeat(8)}`],
  ['nested loops that set each other', `${'while a; do x=$x$y; y=$y$x; '.repeat(15)}a${'; done'.repeat(15)}`],
  [
    'combinations of values',
    `for x in 1 2 3 4 5 6 7 8; do for y in 1 2 3 4 5 6 7 8; do ${'a $x$y;'.repeat(3000)} done; done`,
  ],
  [
    'functions that call each other',
    `f0() { a; }\n${Array.from({ length: 9 }, (_, index) => `f${index + 1}() { ${`f${index};`.repeat(8)} }`).join('\n')}\nf9`,
  ],
  ['rounds of a loop with many words', `for x in ${'a b c d e f '.repeat(10)}; do ls ${'"$x" '.repeat(20_000)}; done`],
  ['words of one command', fill('a ', 'ls ')],
  ['words that are open braces', fill('{ ', 'ls ')],
  ['quotes', fill("''", 'a ')],
  ['continued lines', fill('\\\n')],
  ['comments', fill('#\n')],
  ['here-documents', fill('a <<E\nE\n')],
  ['expansions in quotes', fill('$x', 'a "', '"')],
  ['nested defaults', `a ${'${x:-'.repeat(25_000)}`],
  ['wrapped commands', fill('command ')],
  ['brackets of patterns', fill('[', 'a ')],
  ['classes of patterns', fill('[[:a', 'a ')],
  ['arithmetic', fill('1+', 'a $((', '1))')],
  ['negations in a test', fill('! ', '[[ ', 'a ]]')],
  ['branches of case', fill('a) b;; ', 'case x in ', 'esac')],
  ['conditions one after another', fill('if a; then x=2; else x=3; fi;')],
  ['redirections', fill('>a ')],
  ['blanks', fill(' ')],
])('%s take no longer than their bound', (_name, text) => {
  expect(lowestCost(text)).toBeLessThan(boundMs);
});

test('a text that is too long says so', () => expect(seeShell('a;'.repeat(100_000))).toMatch(/128 KiB/));

test('as many commands as are judged are read, and one more is refused', () => {
  expect(seeShell('a;'.repeat(1000))).toHaveLength(1000);
  expect(seeShell('a;'.repeat(1001))).toMatch(/more commands/);
});
