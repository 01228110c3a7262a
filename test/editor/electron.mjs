// Runs the suites of the extension host in a desktop VS Code that is downloaded: `npm run test:electron`.
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { makeDemoVault } from '../../packaging/demoVault.mjs';
import { buildHostSuite } from './support/buildHostSuite.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

process.exitCode = await main();

async function main() {
  const editor = await download();
  if (editor === undefined) return 1;
  const files = readdirSync(join(root, 'test/editor/inHost')).filter((file) => file.endsWith('.suite.ts'));
  let failed = 0;
  for (const file of files) failed += await runSuite(editor, file.replace('.suite.ts', ''));
  console.log(`${files.length - failed} suites passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Runs one suite on a vault of its own; gives 1 when it did not pass. */
async function runSuite(editor, name) {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-electron-'));
  try {
    const vault = await makeDemoVault(folder, await import('../../dist/library.mjs'));
    const own = ['--user-data-dir', join(folder, 'user'), '--extensions-dir', join(folder, 'extensions')];
    await runTests({
      vscodeExecutablePath: editor,
      extensionDevelopmentPath: root,
      extensionTestsPath: await buildHostSuite(name),
      launchArgs: [vault, ...own, '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
    });
    return 0;
  } catch (error) {
    console.error(`The suite "${name}" did not pass: ${error.message}`);
    if (process.platform === 'linux' && process.env.DISPLAY === undefined) {
      console.error('There is no display. With one that is not seen: xvfb-run -a npm run test:electron');
    }
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function download() {
  try {
    const cachePath = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ravel', 'vscode-test');
    return await downloadAndUnzipVSCode({ version: 'stable', cachePath, timeout: 15_000 });
  } catch (error) {
    console.error(`No VS Code could be downloaded: ${error.message}`);
    console.error('It comes from update.code.visualstudio.com. The same suites run without a download in npm test.');
    return undefined;
  }
}
