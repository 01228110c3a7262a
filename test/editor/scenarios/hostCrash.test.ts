import { expect, test } from 'vitest';
import { makeGate } from '../../support/gate.ts';
import { goodReflection, oneEntry, setScenario } from '../../support/phaseWorld.ts';
import { useEditorWorld } from '../support/editorWorld.ts';

const editor = useEditorWorld({
  content: {
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry },
  },
});

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ say: `Sentence number ${from + n}.` }));

test('a page shows every sentence of a phase once after the extension host of its only window was killed', async () => {
  const { world, host } = editor;
  const gates = [await makeGate(world.root), await makeGate(world.root)] as const;
  await setScenario(world, {
    reflect: [
      ...numbered(1, 20),
      gates[0].wait,
      ...numbered(21, 40),
      gates[1].wait,
      ...numbered(41, 60),
      ...goodReflection,
    ],
  });
  const window = await editor.window();
  await window.statusBarItem(/This window runs the vault/).waitFor();
  await window.activity('Ravel');
  await window.inlineAction(window.view('Plans').getByRole('treeitem').first(), 'Open Plan');
  const page = await window.webview();
  await page.getByRole('button', { name: 'Run reflect' }).click();
  await page.getByText('Sentence number 20.', { exact: true }).waitFor();

  const [crashed, ...others] = await host.extensionHosts();
  if (crashed === undefined) throw new Error('There is no extension host.');
  expect(others).toEqual([]);
  process.kill(crashed, 'SIGKILL');
  // Said without a listener: no window, and no owner.
  gates[0].open();
  await window.reload();
  await window.statusBarItem(/This window runs the vault/).waitFor({ timeout: 30_000 });
  // The editor closes the panels of a host that crashed.
  await window.inlineAction(window.view('Plans').getByRole('treeitem').first(), 'Open Plan');
  const again = await window.webview();
  await again.getByText('Sentence number 40.', { exact: true }).waitFor({ timeout: 30_000 });
  await again.getByRole('button', { name: 'Stop' }).waitFor();
  gates[1].open();
  await again
    .getByText(/reflect finished/)
    .first()
    .waitFor({ timeout: 30_000 });
  await window.screenshot('host-crash');

  // Each sentence once and in its order: those that were watched, that had no listener, and that came after. Two of these
  // groups stand in one article where the page read them together.
  for (const first of [1, 21, 41]) {
    await again.getByLabel('Filter the session').fill(`Sentence number ${first}.`);
    await again.getByText('1 found', { exact: true }).waitFor();
    const text = (await again.getByRole('article').textContent()) ?? '';
    const numbers = [...text.matchAll(/Sentence number (\d+)\./g)].map(([, digits]) => Number(digits));
    const expected = Array.from({ length: 20 }, (_, n) => first + n);
    expect(numbers.filter((number) => first <= number && number < first + 20)).toEqual(expected);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});
