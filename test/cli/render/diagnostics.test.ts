import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/errors.ts';
import { countDiagnostics, formatDiagnostic, formatDiagnostics } from '../../../src/cli/render/diagnostics.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';

const bare: Diagnostic = { code: 'yaml/syntax', severity: 'error', subject: 'demo', message: 'It is wrong.' };

function check(diagnostic: Diagnostic, expected: string, columns?: number): void {
  expect(formatDiagnostic(diagnostic, plainStyle, columns).join('\n')).toBe(expected);
}

test('a bare diagnostic is its code, subject and message', () =>
  check(bare, 'error yaml/syntax  demo\n  It is wrong.'));
test('lines and columns are counted from one, as editors show them', () =>
  check(
    {
      ...bare,
      severity: 'warning',
      help: 'Fix it.',
      file: '/a/b.yaml',
      range: { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } },
    },
    'warning yaml/syntax  demo\n  It is wrong.\n  help: Fix it.\n  /a/b.yaml:3:1',
  ));
test('a file without a position is shown by its path', () =>
  check({ ...bare, file: '/a' }, 'error yaml/syntax  demo\n  It is wrong.\n  /a'));
test('control characters in a subject or a path are removed', () =>
  check({ ...bare, subject: 'a\u001b[2Jb', file: '/a\u009b2Jb' }, 'error yaml/syntax  a[2Jb\n  It is wrong.\n  /a2Jb'));
test('a message is wrapped to the width of the terminal', () =>
  check({ ...bare, message: 'one two three four' }, 'error yaml/syntax  demo\n  one two\n  three four', 12));

describe('the commands in a help text', () => {
  const help = 'See `ravel status PLAN`, or the PLAN of `ravel archive restore NAME`.';
  const told = (subject: string) => formatDiagnostic({ ...bare, subject, help }, plainStyle).at(-1);
  test('name the plan that the diagnostic is about', () =>
    expect(told('demo/project-root/a')).toBe(
      '  help: See `ravel status demo/project-root/a`, or the PLAN of `ravel archive restore NAME`.',
    ));
  test('stay as they are if the subject is not a plan or its id needs quotes', () => {
    expect(told('demo')).toBe(`  help: ${help}`);
    expect(told('demo/project-root/a b')).toBe(`  help: ${help}`);
  });
});

test('diagnostics are listed in turn and counted by severity', () => {
  const list = [bare, { ...bare, severity: 'warning' as const }, bare, { ...bare, severity: 'info' as const }];
  expect(formatDiagnostics(list, plainStyle)).toHaveLength(8);
  expect(countDiagnostics(list)).toBe('2 errors, 1 warning, 1 note');
  expect(countDiagnostics([])).toBe('');
});
