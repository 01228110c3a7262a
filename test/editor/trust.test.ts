import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree } from '../support/listTree.ts';
import { useEditorWorld } from './support/editorWorld.ts';

describe('a window in Restricted Mode', () => {
  const settings = { 'security.workspace.trust.banner': 'always' };
  const editor = useEditorWorld({ host: { workspaceTrust: true }, settings });

  test('shows the vault and changes nothing', async () => {
    const { world } = editor;
    const before = [listTree(world.vault), listTree(world.project)];
    const window = await editor.window();
    await window.page.getByText(/Restricted Mode is intended/).waitFor();
    await window.statusBarItem(/Restricted Mode: you can read the vault/).waitFor();
    await window.activity('Ravel');
    await window
      .treeItem(/^Project duration/)
      .first()
      .waitFor();
    await window.screenshotThemes('restricted');
    expect([listTree(world.vault), listTree(world.project)]).toEqual(before);
  });

  test('shows the tasks and the memory of a plan without buttons that change them', async () => {
    const window = await editor.window();
    await window
      .treeItem(/^Project duration/)
      .first()
      .click();
    const page = await window.webview();
    await page.getByRole('tab', { name: 'Backlog' }).click();
    await page.getByRole('button', { name: /^Parse durations of several parts/ }).click();
    await page.getByText('parse', { exact: false }).first().waitFor();
    await page.locator('ravel-task .markdown').first().waitFor();
    expect(await page.getByRole('button', { name: 'Start Work on It' }).count()).toBe(0);
    await window.screenshot('restricted-backlog');
    await page.getByRole('tab', { name: 'Memory' }).click();
    await page.getByRole('list', { name: 'Entries' }).getByRole('listitem').first().waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    await window.command('View: Close All Editors');
  });

  test('refuses six commands that its menus do not offer, and says why', async () => {
    const elsewhere = join(editor.host.home, 'elsewhere');
    // These go past the vault, which answers no one here: each has to ask for trust itself.
    const acting = [
      { letter: 'r', command: 'ravel.runPhase' },
      { letter: 'd', command: 'ravel.startDaemon' },
      { letter: 't', command: 'ravel.typeInTerminal', args: { text: 'touch typed' } },
      { letter: 'v', command: 'ravel.createVault', args: elsewhere },
      { letter: 'h', command: 'ravel.runDemo' },
      { letter: 's', command: 'ravel.openShell' },
    ];
    const keys = acting.map(({ letter, ...bound }) => ({ key: `ctrl+alt+shift+${letter}`, ...bound }));
    await writeFile(join(editor.host.home, 'user-data', 'User', 'keybindings.json'), JSON.stringify(keys));
    const window = await editor.window();
    await window.reload();
    await window.statusBarItem(/Restricted Mode: you can read the vault/).waitFor();
    expect((await window.offered('Ravel: Run')).filter((title) => title.startsWith('Ravel: Run Phase'))).toEqual([]);
    for (const { letter, command } of acting) {
      // A window that was just loaded may not know the person's keys yet; what is told twice is shown once.
      await expect
        .poll(
          async () => {
            await window.keys(`Control+Alt+Shift+${letter.toUpperCase()}`);
            return window
              .notification(/Restricted Mode/)
              .waitFor({ timeout: 3_000 })
              .then(
                () => true,
                () => false,
              );
          },
          { timeout: 20_000 },
        )
        .toBe(true);
      expect([command, await window.notification(/Restricted Mode/).count()]).toEqual([command, 1]);
      if (command === 'ravel.runPhase') await window.screenshot('restricted-refused');
      await window.command('Notifications: Clear All Notifications');
      await window.notification(/Restricted Mode/).waitFor({ state: 'detached' });
    }
    expect(await window.page.locator('.terminal-wrapper').count()).toBe(0);
    expect(await window.page.locator('.monaco-dialog-box').count()).toBe(0);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('runs the vault once it is trusted', async () => {
    const window = await editor.window();
    await window.command('Workspaces: Manage Workspace Trust');
    await window.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await window.statusBarItem(/This window runs the vault/).waitFor();
    const names = await readdir(join(editor.world.vault, 'runtime'));
    expect(names.filter((name) => name.startsWith('daemon.lock.'))).toHaveLength(1);
  });
});
