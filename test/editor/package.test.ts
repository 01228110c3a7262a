import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostParts } from '../../packaging/installHost.mjs';
import { listFiles } from '../../packaging/stage.mjs';
import { EditorWorld } from './support/editorWorld.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const editor = new EditorWorld();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ravel-package-'));
  const target = `${process.platform}-${process.arch}`;
  await run(process.execPath, [join(root, 'packaging/package.mjs'), '--target', target, '--out', folder]);
  const [file = ''] = (await listFiles(folder)).filter((name) => name.endsWith('.vsix'));
  await editor.start({ host: { extension: { package: join(folder, file) } } });
});

afterAll(async () => {
  await editor.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a package that is installed into a clean editor shows the plans of a vault', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  await window
    .treeItem(/^Project duration/)
    .first()
    .waitFor();
  await window.screenshot('package');
});

test('the terminal library of the package runs a program in the Node of the editor', async () => {
  const extensions = join(editor.host.home, 'extensions');
  const [found = ''] = (await listFiles(extensions)).filter((file) =>
    file.endsWith('dist/node_modules/node-pty/index.js'),
  );
  expect(found).toMatch(/^ravel\.ravel-/);
  const program = `
    const { spawn } = require(${JSON.stringify(join(extensions, found))});
    const terminal = spawn('/bin/echo', ['hello'], {});
    terminal.onData((text) => process.stdout.write(text));
    terminal.onExit(({ exitCode }) => process.exit(exitCode));`;
  const { stdout } = await run(hostParts.node, ['-e', program]);
  expect(stdout.trim()).toBe('hello');
});
