import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const start = fileURLToPath(new URL('../../packaging/start.mjs', import.meta.url));
const run = promisify(execFile);

test("npm start -- --prepare makes the demo's vault once, and opens nothing", async () => {
  const folder = join(await makeTemporaryDirectory(), 'development');
  const program = [start, '--prepare', folder];
  expect(await run(process.execPath, program)).toEqual({ stdout: '', stderr: '' });
  const settings = join(folder, 'vault', 'daemon.toml');
  const made = await readFile(settings, 'utf8');
  expect(made).toContain('harness = "scripted"');
  await run(process.execPath, program);
  expect(await readFile(settings, 'utf8')).toBe(made);
});

test('npm start -- --prepare refuses a folder that something else is in, and leaves it', async () => {
  const folder = join(await makeTemporaryDirectory(), 'development');
  await mkdir(join(folder, 'vault'), { recursive: true });
  await expect(run(process.execPath, [start, '--prepare', folder])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('holds no whole vault'),
  });
});
