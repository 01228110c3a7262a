import { expect, test } from 'vitest';
import { useEditorWorld } from './support/editorWorld.ts';

const editor = useEditorWorld();

test('the panel lists what is next, runs the first of it, and tells what happened by then', async () => {
  const window = await editor.window();
  await window.vaultItem().waitFor();
  await window.command('Focus on Next View');
  const next = window.view('Next');
  await next.getByRole('treeitem', { name: /^Task 1, .*, of duration/ }).waitFor();
  const tasks = await next.getByRole('treeitem').count();
  expect(tasks).toBeGreaterThan(1);
  await window.screenshot('activity-next');
  await window.viewAction('Next', 'Run Next');
  // One task fewer is next once the cycle is over.
  await next
    .getByRole('treeitem', { name: /the plan last ran on/ })
    .first()
    .waitFor();
  // The head of this view also says since when, so its name is longer.
  const happened = window.page.locator('.pane', {
    has: window.page.locator('.pane-header[aria-label^="What Happened"]'),
  });
  const plan = happened.getByRole('treeitem', { name: /^duration\/project-root, .*commit/ });
  await window.expand(plan);
  await happened
    .getByRole('treeitem', { name: /, Commits$/ })
    .first()
    .waitFor();
  await window.screenshot('activity-happened');
});
