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
    settings: () => ({ settings: [], isOutdated: false, diagnostics: [] }),
    approvals: () => ({ approvals: [], diagnostics: [] }),
  });
  const code = await runCommandLine(args, ports);
  expect(ports.written.stdout).toMatch(expected.stdout ?? /^$/);
  expect(ports.written.stderr).toMatch(expected.stderr ?? /^$/);
  expect(code).toBe(expected.code);
}

describe('arguments', () => {
  test('--version prints the version', () => check(['--version'], { code: 0, stdout: /^1\.2\.3\n$/ }));
  test('--help shows examples', () =>
    check(['--help'], { code: 0, stdout: /Examples:[\s\S]*ravel run x --phase work/ }));
  test('the help of status explains its columns', () =>
    check(['status', '--help'], { code: 0, stdout: /NEW messages[\s\S]*ravel received PLAN/ }));
  test('the help of run lists its options', () => check(['run', '--help'], { code: 0, stdout: /--scenario <file>/ }));
  test('--help hides the commands that only harnesses start', () =>
    check(['--help'], { code: 0, stdout: /^(?![\s\S]*\bscripted <file>)/ }));
  test.each([['state'], ['state', 'backlog'], ['policy'], ['notify']])(
    'a group alone prints its help, with its examples if it has some: %s %s',
    (...words) => check(words, { code: 0, stdout: new RegExp(`^Usage: ravel ${words.join(' ')} [\\s\\S]*Commands:`) }),
  );
  test('the help of a group alone has its examples', () =>
    check(['notify'], { code: 0, stdout: /Example:\n {2}\$ ravel notify test/ }));
  test('a program that reads JSON is told which commands a group has', () =>
    check(['--json', 'notify'], {
      code: 2,
      stdout: /^\{"error":\{"code":"cli\/usage".*ravel notify needs one of its commands: test\./,
    }));
  test('the hint of a usage error names the help of that command', () =>
    check(['state', 'backlog', 'show'], { code: 2, stderr: /help: See `ravel state backlog show --help`/ }));
  test('a mistake that a command finds itself names the help of that command', () =>
    check(['history', '--cycles', '0'], { code: 2, stderr: /from 1 to 1000\.\n {2}help: See `ravel history --help`/ }));
  test('the values of an option are explained', () =>
    check(['state', 'memory', 'add', '--help'], {
      code: 0,
      stdout: /--source <text> +decision: something that was decided/,
    }));
  test('help names the options of a command at any depth', () =>
    check(['help', 'approvals', 'accept'], {
      code: 0,
      stdout: /^Usage: ravel approvals accept[\s\S]*--option <name>/,
    }));
  test('help of an unknown command is a usage error', () =>
    check(['help', 'nonsense'], { code: 2, stderr: /There is no command ravel nonsense\./ }));
  test('an unknown command is a usage error', () =>
    check(['fly'], { code: 2, stderr: /error cli\/usage {2}ravel fly\n {2}Unknown command/ }));
  test('the value of an option is not taken for an unknown command', () =>
    check(['--vault', '/v', 'knowledge', 'fly'], {
      code: 2,
      stderr: /Unknown command 'fly'\.\n {2}help: See `ravel knowledge --help`/,
    }));
  test('an unknown command of a group with a default command is named', () =>
    check(['dead-letters', 'show', 'x'], {
      code: 2,
      stderr: /Unknown command 'show'\.\n {2}help: See `ravel dead-letters --help`/,
    }));
  test('a misspelt command is answered with a similar one', () =>
    check(['statsu'], { code: 2, stderr: /Did you mean status/ }));
  test('an unknown option is a usage error', () =>
    check(['status', '--fast'], { code: 2, stderr: /Unknown option '--fast'/ }));
  test('a missing argument is named', () => check(['init'], { code: 2, stderr: /Missing required argument 'dir'/ }));
  test('a missing option is named', () =>
    check(['create', 'a'], { code: 2, stderr: /--description <text>.* not specified/ }));
  test('with --json a usage error is one JSON object on standard output', () =>
    check(['--json', 'fly'], { code: 2, stdout: /^\{"error":\{"code":"cli\/usage".*\}\}\n$/ }));
  test('a global option can follow the command', () => check(['status', '--json'], { code: 0, stdout: /^\{"result"/ }));
});

describe('the exit code', () => {
  test.each(Object.entries(exitCodes))('of an error of kind %s is %i', async (kind, expected) => {
    const code = Object.entries(codes).find(([, row]) => row.kind === kind)?.[0] as keyof typeof codes;
    const ports = await createFakePorts({
      list: () => {
        throw failure(code, 'Ada', 'Something happened.');
      },
    });
    expect(await runCommandLine(['status'], ports)).toBe(expected);
    expect(ports.written.stderr).toContain(`error ${code}  Ada\n  Something happened.\n  help: `);
  });

  test('the exit code of an error without a diagnostic is 1, and it is shown as base/internal', async () => {
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

test('a command stops its core even if it failed', async () => {
  const ports = await createFakePorts({
    list: () => {
      throw failure('disk/failed', 'x', 'No.');
    },
  });
  await runCommandLine(['status', '--vault', '/other'], ports);
  expect(ports.asked).toEqual(['open /other as local', 'stop']);
});
