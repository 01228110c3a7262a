import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/base/errors.ts';
import { faultFor, fileFaults } from '../../src/model/fileFaults.ts';

const at = (line: number) => ({ start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 9 } });
const problem = (file: string | undefined, more: Partial<Diagnostic> = {}): Diagnostic => ({
  ...{ code: 'yaml/misfit', severity: 'error', message: 'status: Invalid option.', subject: 'shop/project-root' },
  ...(file !== undefined && { file }),
  ...more,
});

test('several problems of a file are one fault, with the place of the first', () => {
  const file = '/v/shop/backlog.yaml';
  const more = { range: at(12), help: 'Mend it.' };
  expect(fileFaults([problem(file, more), problem(file, { range: at(20) }), problem('/v/shop/memory.yaml')])).toEqual([
    {
      ...{ message: 'backlog.yaml, line 12: status: Invalid option. (and 1 more in this file)', help: 'Mend it.' },
      ...{ file, line: 12 },
    },
    { message: 'memory.yaml: status: Invalid option.', file: '/v/shop/memory.yaml' },
  ]);
});

test('a line is named once', () =>
  expect(fileFaults([problem('C:\\v\\backlog.yaml', { message: 'Line 3: a tab.', range: at(3) })])[0]?.message).toBe(
    'backlog.yaml, line 3: a tab.',
  ));

test('problems that are about no file stay apart', () =>
  expect(fileFaults([problem(undefined), problem(undefined)]).map(({ message }) => message)).toEqual([
    'status: Invalid option.',
    'status: Invalid option.',
  ]));

test.each([
  ['work', '/v/backlog.yaml', true],
  ['dream', '/v/backlog.yaml', false],
  ['reflect', '/v/memory.yaml', true],
  ['git-commit-work', '/v/backlog.yaml', false],
  ['git-commit-work', '/v/phase.md', true],
  [undefined, '/v/plan-state.md', true],
] as const)('at %s a fault of %s keeps the phase from beginning: %s', (phase, file, expected) =>
  expect(faultFor(phase, [problem(file)]) !== undefined).toBe(expected),
);

test('a warning keeps no phase from beginning', () =>
  expect(faultFor('work', [problem('/v/backlog.yaml', { severity: 'warning' })])).toBeUndefined());
