import { describe, expect, test } from 'vitest';
import type { CommandRuns } from '../../src/harness/adapter.ts';
import { RunCoverage } from '../../src/harness/runCoverage.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';

type Ended = Extract<HarnessOutput, { kind: 'toolEnded' }>;

/** A command that ended well, unless it is told otherwise. */
function call(callId: string, command: string, rest: Partial<Ended> = { exitCode: 0 }): readonly HarnessOutput[] {
  return [
    { kind: 'toolStarted', tool: 'Bash', callId, input: { command } },
    { kind: 'toolEnded', callId, isError: false, output: '', ...rest },
  ];
}

/** What a program may make of a command that it runs through a prefix. */
function wrapped(command: string): string {
  return `shopt -u extglob || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| /tmp/x`;
}

/** The calls found to have run elsewhere: when they ended, and when all was over. */
async function problemsIn(outputs: readonly HarnessOutput[], runs: readonly string[]) {
  const unread = [...runs];
  const recorded: CommandRuns = { tool: 'Bash', read: async () => unread.splice(0) };
  const coverage = new RunCoverage(recorded);
  const found: string[] = [];
  for (const output of outputs) {
    const gap = await coverage.take(output);
    if (gap !== undefined) found.push(gap.call);
  }
  const left = await coverage.left();
  return [...found, ...(left === undefined ? [] : [`${left.call}, at the end`])];
}

/** What is kept of a run: its beginning, in bytes. */
function kept(command: string): string {
  return Buffer.from(wrapped(command).replace('shopt', `${'head '.repeat(200)}shopt`))
    .subarray(0, 4096)
    .toString();
}

const foreign = `cat > a.md <<'EOF'\n${'日本語の文章、a '.repeat(1000)}\nEOF`;
const quoted = `${"''".repeat(600)} ls`;
const discarding = (chars: number) => `${'x'.repeat(chars)}; a > /dev/null && ${"'' ".repeat(2000)} b`;
const long = `echo ${'abc '.repeat(1000)}`;

describe('a command that was recorded', () => {
  const cases: Readonly<Record<string, readonly [readonly HarnessOutput[], readonly string[]]>> = {
    'ran in the sandbox': [call('a', 'ls src'), [wrapped('ls src')]],
    'is known in other quotes': [call('a', `printf '%s' "it's"`), [wrapped(`printf '%s' "it's"`)]],
    'is known with its input elsewhere': [call('a', 'cat a | sort'), ['eval "cat a < /dev/null | sort"']],
    'is known with a null device of another system': [call('a', 'make >nul'), [wrapped('make >/dev/null')]],
    'is known by its beginning if it is long': [call('a', long), [wrapped(long).slice(0, 2000)]],
    'is known if it is long and has few letters': [call('a', foreign), [kept(foreign)]],
    'is known if it is long and begins with quotes': [call('a', quoted), [kept(quoted)]],
    ...Object.fromEntries(
      [485, 488, 490, 493].map((chars) => [
        `is known with a null device behind ${chars} characters`,
        [call('a', discarding(chars).replaceAll('x', '-')), [kept(discarding(chars).replaceAll('x', '-'))]],
      ]),
    ),
    'is known by its lines': [call('a', 'cd src\nls'), [wrapped('cd src ls')]],
    'may have been recorded with others': [call('a', 'ls'), [wrapped('date'), wrapped('ls'), wrapped('ls src')]],
    'failed in the sandbox': [call('a', 'false', { isError: true, exitCode: 1 }), [wrapped('false')]],
    'ran as often as it is reported': [
      [...call('a', 'ls'), ...call('b', 'ls')],
      [wrapped('ls'), wrapped('ls')],
    ],
    'leaves the run of a longer one to that': [
      [...call('a', 'ls'), ...call('b', 'ls src'), ...call('c', 'ls src/base')],
      [wrapped('ls src/base'), wrapped('ls src'), wrapped('ls')],
    ],
    'leaves it also if its words stand around every command': [
      [...call('a', 'true'), ...call('b', 'id')],
      [wrapped('true'), wrapped('id')],
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, [outputs, runs]) => {
    expect(await problemsIn(outputs, runs)).toEqual([]);
  });
});

describe('without a record nothing is said of a call', () => {
  const cases: Readonly<Record<string, readonly HarnessOutput[]>> = {
    'that was refused': call('a', 'ls', { isError: true, ran: false }),
    'that was denied or interrupted, and has no exit code': call('a', 'ls', { isError: true }),
    'that did not end': call('a', 'ls').slice(0, 1),
    'of another tool': [
      { kind: 'toolStarted', tool: 'Grep', callId: 'a', input: { pattern: 'ls' } },
      { kind: 'toolEnded', callId: 'a', isError: false, output: '' },
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, outputs) => {
    expect(await problemsIn(outputs, [])).toEqual([]);
  });
});

describe('a command ran outside of the sandbox if', () => {
  const cases: Readonly<Record<string, readonly [readonly HarnessOutput[], readonly string[], readonly string[]]>> = {
    'nothing was recorded': [call('a', 'ls'), [], ['a']],
    'it failed, and nothing was recorded': [call('a', 'ls', { isError: true, exitCode: 2 }), [], ['a']],
    'something else was recorded': [call('a', 'ls'), [wrapped('date')], ['a']],
    'it was recorded once and ran twice': [[...call('a', 'ls'), ...call('b', 'ls')], [wrapped('ls')], ['b']],
    'it took the only run of a longer one': [[...call('a', 'ls'), ...call('b', 'ls b')], [wrapped('ls b')], ['b']],
    'it went on behind its call, and nothing was recorded to the end': [
      call('a', 'npm start', {}),
      [],
      ['a, at the end'],
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, [outputs, runs, expected]) => {
    expect(await problemsIn(outputs, runs)).toEqual(expected);
  });
});

test('a command that outlives its call can be recorded after the call ends', async () => {
  const unread: string[] = [];
  const coverage = new RunCoverage({ tool: 'Bash', read: async () => unread.splice(0) });
  for (const output of call('a', 'npm start', {})) expect(await coverage.take(output)).toBeUndefined();
  unread.push(wrapped('npm start'));
  expect(await coverage.left()).toBeUndefined();
});

test('thousands of calls of one command are told apart in a moment', async () => {
  const calls = Array.from({ length: 3000 }, (_, n) => call(String(n), 'true')).flat();
  const runs = Array.from({ length: 2999 }, () => wrapped('true'));
  expect(await problemsIn(calls, runs)).toEqual(['2999']);
});
