import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { EditorPage, startBrowser } from './support/editorPage.ts';

const start = fileURLToPath(new URL('../../packaging/start.mjs', import.meta.url));
const run = promisify(execFile);
let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** A folder of programs that is the whole PATH: node and git, so that there is no `code` but one of the test. */
async function makePath(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ravel-path-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run('which', ['node', 'git', 'sh', 'ps']);
  for (const program of stdout.trim().split('\n'))
    await symlink(program, join(folder, program.split('/').at(-1) ?? ''));
  return folder;
}

test('npm start without VS Code serves Ravel to a browser, and Ctrl-C ends it and names the vault that stays', async () => {
  const path = await makePath();
  const child = spawn(process.execPath, [start], { env: { ...process.env, PATH: path, TMPDIR: path } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const address = await new Promise<URL>((resolve, reject) => {
    child.on('exit', () => reject(new Error(output)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Ravel is open at: {2}(\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(new URL(url));
    });
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address.href);
  const folder = address.searchParams.get('folder') ?? '';
  const window = new EditorPage(page, { host: { address: address.origin }, folder });
  // Without a click: this is what the window begins with.
  await window.page.locator('.getting-started-step', { hasText: 'Make a plan from a goal' }).waitFor();
  await window
    .treeItem(/^Project duration/)
    .first()
    .waitFor();
  await window.screenshot('npm-start');
  await context.close();
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(output).toContain(`The vault stays in ${folder}.`);
  expect(output).toContain(`rm -rf ${dirname(folder)}`);
  await expect(fetch(address)).rejects.toThrow();
  expect(existsSync(join(folder, 'ravel.toml'))).toBe(true);
});

test('npm start with VS Code opens the vault there with the extension of these sources', async () => {
  const path = await makePath();
  const asked = join(path, 'asked');
  await writeFile(join(path, 'code'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${asked}\n`);
  await chmod(join(path, 'code'), 0o755);
  const { stdout } = await run(process.execPath, [start], { env: { ...process.env, PATH: path, TMPDIR: path } });
  const [, development = '', vault = ''] = (await readFile(asked, 'utf8')).split('\n');
  expect(development).toBe(`--extensionDevelopmentPath=${dirname(dirname(start))}/`);
  expect(existsSync(join(vault, 'ravel.toml'))).toBe(true);
  expect(stdout).toContain(`npm start -- --vault ${vault}`);
});

test('npm start refuses a folder that is not a vault', async () => {
  const path = await makePath();
  const failed = run(process.execPath, [start, '--vault', path]);
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('There is no vault at') });
});
