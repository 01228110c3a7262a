import { expect, test } from 'vitest';
import { type LinkTarget, linksIn } from '../../../src/ui/terminals/terminalLinks.ts';

const approval = '01KBHZ0000000000000000000A';
const session = '01KBHZ0000000000000000000B';
const known = {
  hasPlan: (id: string) => id === 'Shop/project-root/checkout',
  hasTask: (id: string) => id === 'add-a-farewell',
  hasApproval: (id: string) => id === approval,
};

function check(line: string): [string, LinkTarget][] {
  return linksIn(line, known).map(({ start, length, target }) => [line.slice(start, start + length), target]);
}

test.each<[string, [string, LinkTarget][]]>([
  ['see src/a.ts:12:3.', [['src/a.ts:12:3', { kind: 'file', path: 'src/a.ts', line: 12, column: 3 }]]],
  ['● Write(farewell.mjs)', [['farewell.mjs', { kind: 'file', path: 'farewell.mjs' }]]],
  ['at /tmp/x/y.js:7', [['/tmp/x/y.js:7', { kind: 'file', path: '/tmp/x/y.js', line: 7 }]]],
  ['"./run it"', [['./run', { kind: 'file', path: './run' }]]],
  ['version 1.2.3 of it', []],
  ['took 1.5 s of 3/4', [['3/4', { kind: 'file', path: '3/4' }]]],
  [
    'plan Shop/project-root/checkout:',
    [['Shop/project-root/checkout', { kind: 'plan', plan: 'Shop/project-root/checkout' as never }]],
  ],
  ['task add-a-farewell, not add-another', [['add-a-farewell', { kind: 'task', task: 'add-a-farewell' }]]],
  [
    `asks ${approval} in ${session}`,
    [
      [approval, { kind: 'approval', approval: approval as never }],
      [session, { kind: 'session', session: session as never }],
    ],
  ],
  ['https://example.org/a.html', []],
])('the line "%s" has these links', (line, expected) => {
  expect(check(line)).toEqual(expected);
});

test('a line of five million characters yields at most twenty links', () => {
  const line = 'a/b '.repeat(1_250_000);
  expect(linksIn(line, known)).toHaveLength(20);
});
