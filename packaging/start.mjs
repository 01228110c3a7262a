// Opens Ravel on the demo's vault: `npm start`, or `npm start -- --vault DIR` for a vault of your own. With `--prepare DIR`
// it makes the demo's vault in that folder, once, and opens nothing: a debugger of the extension does that itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeDemoVault } from './demoVault.mjs';
import { startHostProcess } from './hostProcess.mjs';
import { installHost } from './installHost.mjs';
import { locateNative } from './natives.mjs';
import { stageExtension, stageTerminals } from './stage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

async function main() {
  const { values } = parseArgs({ options: { vault: { type: 'string' }, prepare: { type: 'string' } } });
  if (values.prepare !== undefined) {
    await prepareVault(resolve(values.prepare));
    return 0;
  }
  const vault = values.vault === undefined ? await makeVault() : resolve(values.vault);
  if (!existsSync(join(vault, 'ravel.toml'))) throw new Error(`There is no vault at ${vault}: it has no ravel.toml.`);
  const editor = findProgram(process.platform === 'win32' ? 'code.cmd' : 'code');
  if (editor === undefined) await openInBrowser(vault);
  else await openInEditor(editor, vault);
  return 0;
}

async function makeVault() {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-start-'));
  const vault = await makeDemoVault(folder, await import('../dist/library.mjs'));
  // The vault was made to look at, so the editor begins with what there is to see.
  await mkdir(join(vault, '.vscode'));
  await writeFile(join(vault, '.vscode', 'settings.json'), `${JSON.stringify({ 'ravel.showAtStart': true })}\n`);
  return vault;
}

/** The file `made` comes last, so that what a run left that ended midway is not taken for a vault. */
async function prepareVault(folder) {
  const made = join(folder, 'made');
  if (existsSync(made)) return;
  if (existsSync(folder)) throw new Error(`${folder} is there and holds no whole vault: remove it.`);
  await mkdir(folder, { recursive: true });
  const vault = await makeDemoVault(folder, await import('../dist/library.mjs'));
  await writeFile(made, `${vault}\n`);
}

/** In the Visual Studio Code of this machine, beside the windows that are open. */
async function openInEditor(editor, vault) {
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, vault];
  const child = spawn(editor, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${editor} ended with exit code ${code}.`);
  console.log(`Ravel is open in Visual Studio Code, in a window of its own.\n\n${whatStays(vault)}`);
}

/** In a browser, by the host that the tests use, with the extension as an installed one. */
async function openInBrowser(vault) {
  console.log('There is no `code` on PATH; Ravel is opened in a browser.');
  installHost();
  const home = await mkdtemp(join(tmpdir(), 'ravel-start-editor-'));
  const stopping = new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  });
  try {
    const [userData, extensions] = [join(home, 'user-data'), join(home, 'extensions')];
    await mkdir(join(userData, 'User'), { recursive: true });
    await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify(settings));
    const extension = join(extensions, 'ravel.ravel-0.0.0');
    await stageExtension(extension, { built: join(root, 'dist') });
    await addTerminals(extension);
    // The folder was made here or named by the person: asking whether to trust it would ask them twice.
    const args = ['--disable-workspace-trust'];
    const host = await startHostProcess({ userData, extensions, args, env: process.env });
    try {
      console.log(`\nRavel is open at:  ${host.address}/?folder=${encodeURIComponent(vault)}`);
      console.log('Open the address in Chromium, Chrome, Edge or Firefox. Ctrl-C ends it.\n');
      await stopping;
    } finally {
      await host.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(whatStays(vault));
}

async function addTerminals(extension) {
  try {
    await stageTerminals(extension, await locateNative(`${process.platform}-${process.arch}`));
  } catch (error) {
    console.log(`No terminal can be opened in it: ${error.message}.`);
  }
}

const settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
};

function whatStays(vault) {
  const isOurs = basename(dirname(vault)).startsWith('ravel-start-');
  return [
    `The vault stays in ${vault}.`,
    `To open it again:   npm start -- --vault ${vault}`,
    ...(isOurs ? [`To remove it:       rm -rf ${dirname(vault)}`] : []),
  ].join('\n');
}

function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
