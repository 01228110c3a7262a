import { expect, test } from 'vitest';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld();

test('a vault that is opened shows its plans, and each says how it stands', async () => {
  const window = await editor.window();
  await window.activity('Ravel');
  const root = window.treeItem(/^Project duration, phase work/);
  await root.waitFor();
  await window.expandView('Inbox');
  await window.expandView('Sessions');
  await window.screenshotThemes('trees');
  expect(await root.innerText()).toContain('work');
});
