import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeVault } from '../../src/library.ts';
import { startEditorHost } from './support/editorHost.ts';
import { EditorPage, startBrowser } from './support/editorPage.ts';

test('a vault that is opened shows its views', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-vault-'));
  const vault = join(directory, 'vault');
  await makeVault({ root: vault, name: 'vault' });
  const host = await startEditorHost();
  const browser = await startBrowser();
  try {
    const window = await EditorPage.open(browser, { host, folder: vault });
    await window.activity('Ravel');
    await window.page.getByText('Experts').first().waitFor();
    await window.page.screenshot({ path: 'test-results/first.png' });
    expect(await window.page.title()).toContain('vault');
  } catch (error) {
    console.log(host.output());
    throw error;
  } finally {
    await browser.close();
    await host.stop();
    await rm(directory, { recursive: true });
  }
});
