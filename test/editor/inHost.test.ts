import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeVault } from '../../src/library.ts';
import { startEditorHost } from './support/editorHost.ts';
import { startBrowser } from './support/editorPage.ts';
import { buildHostSuite, runHostSuite } from './support/hostSuite.ts';

/** The suites run before the tests are named, so that each of theirs is one of ours. */
const results = await runSuites();

describe('inside the extension host', () => {
  test.each(results)('$title', ({ error }) => expect(error).toBeUndefined());
});

async function runSuites() {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-vault-'));
  const vault = join(directory, 'vault');
  await makeVault({ root: vault, name: 'vault' });
  const host = await startEditorHost({ underTest: true, extension: 'none' });
  const browser = await startBrowser();
  try {
    return await runHostSuite(browser, { host, folder: vault, suite: await buildHostSuite() });
  } finally {
    await browser.close();
    await host.stop();
    await rm(directory, { recursive: true });
  }
}
