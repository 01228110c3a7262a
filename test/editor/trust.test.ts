import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listTree } from '../support/listTree.ts';
import { useEditorWorld } from './support/editorWorld.ts';

describe('a window without trust', () => {
  const settings = { 'security.workspace.trust.banner': 'always' };
  const editor = useEditorWorld({ host: { workspaceTrust: true, settings } });

  test('shows the vault and changes nothing', async () => {
    const { world } = editor;
    const before = [listTree(world.vault), listTree(world.project)];
    const window = await editor.window();
    await window.page.getByText(/Restricted Mode is intended/).waitFor();
    await window.statusBarItem(/Restricted Mode: the vault is only looked at/).waitFor();
    await window.activity('Ravel');
    await window
      .treeItem(/duration/)
      .first()
      .waitFor();
    await window.screenshotThemes('restricted');
    expect([listTree(world.vault), listTree(world.project)]).toEqual(before);
  });

  test('runs nothing, also what no menu offers, and says what to do', async () => {
    const keys = [{ key: 'ctrl+alt+shift+r', command: 'ravel.runPhase' }];
    await writeFile(join(editor.host.home, 'user-data', 'User', 'keybindings.json'), JSON.stringify(keys));
    const window = await editor.window();
    expect((await window.offered('Ravel: Run')).filter((title) => title.startsWith('Ravel: Run Phase'))).toEqual([]);
    await window.reload();
    await window.statusBarItem(/Restricted Mode: the vault is only looked at/).waitFor();
    await window.keys('Control+Alt+Shift+R');
    await window.notification(/Restricted Mode/).waitFor();
    expect(await window.notification(/Restricted Mode/).count()).toBe(1);
    await window.screenshot('restricted-refused');
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
