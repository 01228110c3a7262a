import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createScriptRunner } from '../../src/harness/scripts.ts';
import { settingsSchema } from '../../src/model/settings.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

async function run(script: string, options: { readonly timeoutMs?: number; readonly stop?: AbortSignal } = {}) {
  const folder = await makeTemporaryDirectory();
  const program = join(folder, 'script.sh');
  await writeFile(program, script);
  await chmod(program, 0o755);
  const environment = { PATH: process.env['PATH'], HOME: '/ada', SECRET: 'x', MINE: 'y' };
  const settings = settingsSchema.parse({ environment: { pass: ['MINE'] } });
  const runScript = createScriptRunner({ clock: systemClock, environment, settings });
  const { timeoutMs = 60_000, stop = new AbortController().signal } = options;
  return { folder, outcome: await runScript({ program, workingDirectory: folder, timeoutMs }, stop) };
}

describe('a script of a repository', () => {
  test('runs in its folder with the environment of a session and nothing else', async () => {
    const { folder, outcome } = await run('#!/bin/sh\npwd\necho "$HOME $MINE $SECRET|" >&2\nexit 3\n');
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 3 });
    expect(outcome.output.split('\n').sort()).toEqual(['', '/ada y |', folder].sort());
  });

  test('a script of a repository that runs too long is ended with all of its processes', async () => {
    const { outcome } = await run('#!/bin/sh\necho begun\nsleep 60 &\nsleep 60\n', { timeoutMs: 300 });
    expect(outcome).toMatchObject({ end: 'timedOut', output: 'begun\n' });
  });

  test('does not run when it was stopped before', async () => {
    const stop = AbortSignal.abort();
    expect((await run('#!/bin/sh\nsleep 60\n', { stop })).outcome).toMatchObject({ end: 'stopped' });
  });

  test('a script of a repository that cannot be started has the exit code 127', async () => {
    expect((await run('#!/nowhere/sh\n')).outcome).toMatchObject({ end: 'exited', exitCode: 127 });
  });

  test('can print any amount, of which the first MiB is kept', async () => {
    const { outcome } = await run("#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\\\0' x\n");
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(outcome.output).toHaveLength(1024 * 1024);
  });
});
