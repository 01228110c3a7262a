import { expect, test } from 'vitest';
import type { StartNeeds } from '../../../src/model/startNeeds.ts';
import { needRows } from '../../../src/ui/start/needRows.ts';

const rows = (claude: StartNeeds['claude'], git?: string) =>
  needRows({ claude, ...(git !== undefined && { git }) }).map(({ isReady, text }) => [isReady, text]);

test.each<[StartNeeds['claude'], boolean, string]>([
  [{ state: 'ready', version: '2.1.0', message: '' }, true, 'Claude Code 2.1.0 is installed.'],
  [
    { state: 'noLogin', version: '2.1.0', message: '' },
    false,
    'Claude Code 2.1.0 is installed, but you are not logged in.',
  ],
  [
    { state: 'missing', message: 'x' },
    false,
    'Claude Code was not found. Without it you can run the demo and make a vault.',
  ],
  [{ state: 'tooOld', message: 'claude is older\nthan 2.' }, false, 'claude is older than 2.'],
])('a person reads how Claude Code stands: %j', (claude, isReady, text) =>
  expect(rows(claude, '2.47.3')).toEqual([
    [true, 'Git 2.47.3 is installed.'],
    [isReady, text],
  ]),
);

test('a machine without git says what that means', () =>
  expect(rows({ state: 'ready', message: '' })[0]).toEqual([
    false,
    'Git is missing. Every change is kept as a commit, so nothing works without it.',
  ]));
