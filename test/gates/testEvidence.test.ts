import { expect, test } from 'vitest';
import { testResult } from '../../src/gates/testEvidence.ts';

test.each<[string, [command: string, exitCode: number][], string]>([
  ['it ran and passed', [['node --test', 0]], 'evidenced'],
  ['other spaces', [['  node   --test ', 0]], 'evidenced'],
  ['it ran and failed', [['node --test', 1]], 'contradicted'],
  ['it never ran', [['node --test other', 0]], 'unsupported'],
  ['nothing ran', [], 'unsupported'],
  ['the last run counts, passed', [...failedThen('node --test', 0)], 'evidenced'],
  ['the last run counts, failed', [['node --test', 0], ...failedThen('node --test', 1)], 'contradicted'],
  ['in another folder', [['cd app && node --test', 1]], 'contradicted'],
  ['one of a chain that passed', [['npm ci && node --test && echo ok', 0]], 'evidenced'],
  ['one of a chain that failed tells nothing', [['npm ci && node --test', 1]], 'unsupported'],
  ['a failure that is swallowed tells nothing', [['node --test || true', 0]], 'unsupported'],
  ['a pipe tells nothing', [['node --test | tail', 0]], 'unsupported'],
  ['a line that cannot be read tells nothing', [['node --test && "', 0]], 'unsupported'],
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

test('no test is no evidence', () => expect(testResult(' ', [{ command: '', exitCode: 0 }])).toBe('unsupported'));
