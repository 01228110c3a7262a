import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** Runs scripts, given by their commands, beside each other. */
async function check(scripts: Readonly<Record<string, string>>) {
  const cwd = await makeTemporaryDirectory();
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  const program = resolve('test/support/beside.mjs');
  return spawnSync(process.execPath, [program, ...Object.keys(scripts)], { cwd, encoding: 'utf8' });
}

test('scripts run beside each other: each of two waits for the other', async () => {
  // To open a pipe waits for the other end.
  const { status, stdout } = await check({
    one: 'mkfifo pipe; echo made > made; read -r word < pipe; echo "one read $word"',
    two: 'until [ -e made ]; do :; done; echo hello > pipe; echo "two wrote"',
  });
  expect([status, stdout.match(/^one read hello$|^two wrote$/gm)?.toSorted()]).toEqual([
    0,
    ['one read hello', 'two wrote'],
  ]);
});

test('a script that fails is named, and the others come to their end', async () => {
  const { status, stdout, stderr } = await check({ bad: 'echo "it broke" >&2; exit 3', good: 'echo "it works"' });
  expect([status, stderr]).toEqual([1, 'Failed: bad.\n']);
  expect(stdout).toMatch(/^> bad \(\d+\.\d s\)\nit broke$/m);
  expect(stdout).toMatch(/^> good \(\d+\.\d s\)\nit works$/m);
});
