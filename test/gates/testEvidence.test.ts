import { expect, test } from 'vitest';
import { testResult } from '../../src/gates/testEvidence.ts';

test.each<[string, [command: string, exitCode: number][], string]>([
  ['a claim is evidenced if its test ran and passed', [['node --test', 0]], 'evidenced'],
  ['spaces in the command do not matter', [['  node   --test ', 0]], 'evidenced'],
  ['a claim is contradicted if its test ran and failed', [['node --test', 1]], 'contradicted'],
  ['a claim is unsupported if its test never ran', [['node --test other', 0]], 'unsupported'],
  ['a claim is unsupported if nothing ran', [], 'unsupported'],
  ['a pass after a failure counts', [...failedThen('node --test', 0)], 'evidenced'],
  ['a failure after a pass counts', [['node --test', 0], ...failedThen('node --test', 1)], 'contradicted'],
  ['a run after a cd counts', [['cd app && node --test', 1]], 'contradicted'],
  ['a run in a chain that passed counts as passed', [['npm ci && node --test && echo ok', 0]], 'evidenced'],
  ['a run in a chain that failed proves nothing', [['npm ci && node --test', 1]], 'unsupported'],
  ['a run whose failure is swallowed proves nothing', [['node --test || true', 0]], 'unsupported'],
  ['a run in a pipe proves nothing', [['node --test | tail', 0]], 'unsupported'],
  ['a run in a line that cannot be parsed proves nothing', [['node --test && "', 0]], 'unsupported'],
])('%s', (_name, ran, expected) => {
  const commands = ran.map(([command, exitCode]) => ({ command, exitCode }));
  expect(testResult('node --test', commands)).toBe(expected);
});

function failedThen(command: string, exitCode: number): [string, number][] {
  return [
    [command, 1],
    [command, exitCode],
  ];
}

test('a blank command is never evidence', () =>
  expect(testResult(' ', [{ command: '', exitCode: 0 }])).toBe('unsupported'));
