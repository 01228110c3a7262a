import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { codes, exitCodes, failure } from '../../src/model/codes.ts';
import { createFakePorts, jsonLines } from './fakePorts.ts';

async function check(
  args: readonly string[],
  expected: { readonly code: number; readonly stdout?: RegExp; readonly stderr?: RegExp },
): Promise<void> {
  const ports = await createFakePorts({
    list: () => ({ plans: [], diagnostics: [] }),
    approvals: () => ({ approvals: [], diagnostics: [] }),
  });
  const code = await runCommandLine(args, ports);
  expect(ports.written.stdout).toMatch(expected.stdout ?? /^$/);
  expect(ports.written.stderr).toMatch(expected.stderr ?? /^$/);
  expect(code).toBe(expected.code);
}

describe('arguments', () => {
  test('--version', () => check(['--version'], { code: 0, stdout: /^1\.2\.3\n$/ }));
  test('--help has examples', () => check(['--help'], { code: 0, stdout: /Examples:[\s\S]*ravel run x --phase work/ }));
  test('help of the columns', () =>
    check(['status', '--help'], { code: 0, stdout: /NEW are messages[\s\S]*ravel state received list PLAN/ }));
  test('help of a command', () => check(['run', '--help'], { code: 0, stdout: /--scenario <file>/ }));
  test('what harnesses start is not shown', () =>
    check(['--help'], { code: 0, stdout: /^(?![\s\S]*\bscripted <file>)/ }));
  test('nothing at all', () => check([], { code: 2, stderr: /Usage: ravel/ }));
  test('a noun without a verb', () => check(['state', 'backlog'], { code: 2, stderr: /^Usage: ravel state backlog/ }));
  test('the hint names the command', () =>
    check(['state', 'backlog', 'show'], { code: 2, stderr: /help: See `ravel state backlog show --help`/ }));
  test('an unknown command', () =>
    check(['fly'], { code: 2, stderr: /error cli\/usage {2}ravel fly\n {2}Unknown command/ }));
  test('a command nearly right', () => check(['statsu'], { code: 2, stderr: /Did you mean status/ }));
  test('an unknown option', () => check(['status', '--fast'], { code: 2, stderr: /Unknown option '--fast'/ }));
  test('a missing argument', () => check(['init'], { code: 2, stderr: /Missing required argument 'dir'/ }));
  test('a missing option', () => check(['create', 'a'], { code: 2, stderr: /--description <text>.* not specified/ }));
  test('a mistake in JSON', () =>
    check(['--json', 'fly'], { code: 2, stdout: /^\{"error":\{"code":"cli\/usage".*\}\}\n$/ }));
  test('global options stand before or after the command', () =>
    check(['status', '--json'], { code: 0, stdout: /^\{"result"/ }));
});

describe('exit codes', () => {
  test.each(Object.entries(exitCodes))('%s is %i', async (kind, expected) => {
    const code = Object.entries(codes).find(([, row]) => row.kind === kind)?.[0] as keyof typeof codes;
    const ports = await createFakePorts({
      list: () => {
        throw failure(code, 'somebody', 'Something happened.');
      },
    });
    expect(await runCommandLine(['status'], ports)).toBe(expected);
    expect(ports.written.stderr).toContain(`error ${code}  somebody\n  Something happened.\n  help: `);
  });

  test('what has no diagnostic is an internal error', async () => {
    const ports = await createFakePorts({
      list: () => {
        throw new TypeError('x is not a function');
      },
    });
    expect(await runCommandLine(['status', '--json'], ports)).toBe(1);
    expect(jsonLines(ports.written.stdout)).toMatchObject([
      { error: { code: 'base/internal', message: 'x is not a function' } },
    ]);
  });
});

test('the core is stopped, whatever happened', async () => {
  const ports = await createFakePorts({
    list: () => {
      throw failure('disk/failed', 'x', 'No.');
    },
  });
  await runCommandLine(['status', '--vault', '/other'], ports);
  expect(ports.asked).toEqual(['open /other as local', 'stop']);
});
