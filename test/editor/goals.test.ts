import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstHourGoal, firstHourProject, firstHourScenario } from '../support/firstHour.ts';
import { axeProblems } from './support/axe.ts';
import type { EditorPage } from './support/editorPage.ts';
import { useEditorWorld } from './support/editorWorld.ts';
import { chooseFolder, folderBeside } from './support/folders.ts';

const editor = useEditorWorld({ content: 'none', settings: { 'ravel.harness': 'scripted' } });

/** Minutes that the keyboard may take from an empty folder to the first finished work phase. */
const minutesMax = 5;

/** Goes on with Tab, in the page of a webview or in the window, until what has the keyboard is called so. */
async function tabTo(window: EditorPage, name: RegExp, steps = 80): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await window.keys('Tab');
    if (name.test(await focusedName(window))) return;
  }
  throw new Error(`Tab does not come to ${name}.`);
}

/** The walkthrough opens the first step that is not done, and gives it the keyboard a moment later. */
async function fromWalkthrough(window: EditorPage, step: string, button: RegExp): Promise<void> {
  await window.command('Ravel: Get Started');
  await window.page.locator('.getting-started-step.expanded:focus').filter({ hasText: step }).waitFor();
  await tabTo(window, button);
  await window.keys('Enter');
}

/** What a screen reader calls what has the keyboard: inside pages the focus is in a frame, and there in a shadow root. */
async function focusedName(window: EditorPage): Promise<string> {
  for (const frame of window.page.frames()) {
    const name = await frame.evaluate(`(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (!document.hasFocus() || at === null || at.tagName === 'IFRAME' || at === document.body) return '';
      // The words of a button of the toolkit are beside its shadow, in its host.
      const said = [at.labels?.[0]?.textContent, at.textContent, at.getRootNode().host?.textContent];
      return at.getAttribute('aria-label') ?? said.find((text) => (text ?? '').trim() !== '') ?? '';
    })()`);
    if (typeof name === 'string' && name.trim() !== '') return name.trim();
  }
  return '';
}

describe('the first hour, by the keyboard alone', () => {
  const startedMs = performance.now();

  test('the walkthrough leads to a vault and a project', async () => {
    const window = await editor.window();
    const place = await folderBeside(editor, 'plans', { 'other.txt': '' });
    const project = await folderBeside(editor, 'duration', firstHourProject);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: project });
    execFileSync('git', ['add', '-A'], { cwd: project });
    const author = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.org'];
    execFileSync('git', [...author, 'commit', '-qm', 'Begin'], { cwd: project });
    await fromWalkthrough(window, 'Create or open a vault', /^Create Vault…$/);
    await chooseFolder(window, place);
    await window.input('vault', { asks: 'Name of the new folder' });
    await window.notification('The vault "vault" is ready').waitFor();
    // In place of a model and its login: what the sessions will do.
    const scenario = join(dirname(place), 'scenario.json');
    await writeFile(scenario, JSON.stringify(firstHourScenario));
    const settings = join(place, 'vault', 'daemon.toml');
    const template = await readFile(settings, 'utf8');
    const set = template.replace(/^#? *scenario = .*$/m, () => `scenario = ${JSON.stringify(scenario)}`);
    expect(set).not.toBe(template);
    await writeFile(settings, set);
    await fromWalkthrough(window, 'Adopt a project', /^Adopt Project…$/);
    await chooseFolder(window, project);
    await window.input('A library for durations', { asks: 'What is duration for' });
    await window.notification('The vault has adopted duration').waitFor();
  });

  test('the walkthrough leads to a goal, whose proposal is edited and accepted on its page', async () => {
    const window = await editor.window();
    await fromWalkthrough(window, 'Make a plan from a goal', /^Create Plans From a Goal…$/);
    await window.pick('Describe a Goal…', { asks: 'What should the plans come from?' });
    await window.input(firstHourGoal, { asks: 'What is to be true in the end' });
    await window.tab('Question').waitFor();
    const page = await window.webview('Question');
    await page.getByRole('textbox', { name: 'Title of Parse durations of several parts' }).waitFor();
    expect(await axeProblems(window.page)).toEqual([]);
    await window.screenshotThemes('goal-1-proposal');
    await window.command('View: Focus Active Editor Group');
    await tabTo(window, /^Title of Show one in the README$/);
    // Not Control+A, which goes to the editor and comes back later than what is typed.
    await window.keys('Home', 'Shift+End');
    await window.page.keyboard.type('Show several parts in the README');
    await tabTo(window, /^Remove the Suggested Expert$/);
    await window.keys('Enter');
    await window.keys('Control+Home');
    await tabTo(window, /^Make These Plans/);
    await window.keys('Enter');
    await page.getByText(/Added 2 tasks to duration\/project-root/).waitFor();
    const backlog = await readFile(join(dirname(editor.folder), 'duration/ravel/project-root/backlog.yaml'), 'utf8');
    expect(backlog).toContain('Show several parts in the README');
    expect(backlog).not.toContain('Show one in the README');
  });

  test('Run Next runs the first task until its work is finished, within five minutes of the beginning', async () => {
    const window = await editor.window();
    await window.command('View: Show Ravel');
    await window.command('Run Next');
    await window
      .treeItem(/^Session of duration, phase work, finished/)
      .first()
      .waitFor({ timeout: 60_000 });
    const minutes = (performance.now() - startedMs) / 60_000;
    console.log(
      `from an empty folder to the first finished work phase, by the keyboard: ${minutes.toFixed(1)} minutes`,
    );
    expect(minutes).toBeLessThan(minutesMax);
    await window.screenshotThemes('goal-2-worked');
  });

  test('Show Next Tasks lists what is ready and runs what is chosen', async () => {
    const window = await editor.window();
    await window.page.locator('.part.statusbar').getByText('duration: the cycle is complete').waitFor();
    await window.command('Show Next Tasks…');
    await window.pick('Show several parts in the README', { asks: 'Runs a cycle with the task' });
    await window
      .treeItem(/^Session of duration, phase work, finished/)
      .nth(1)
      .waitFor({ timeout: 60_000 });
  });

  test('Show What Happened opens a page whose lines lead to sessions and commits', async () => {
    const window = await editor.window();
    await window.command('Show What Happened Since I Was Here');
    await window.tab('What Happened.md').waitFor();
    const text = window.textEditor();
    await text.getByText('parse-durations-of-several-parts').first().waitFor();
    await window.screenshotThemes('goal-3-happened');
    // The heading of the plan, which is a link.
    await window.keys('Control+Home', ...Array.from({ length: 7 }, () => 'ArrowDown'), 'End');
    await window.command('Open Link');
    await window.tab('duration').waitFor();
  });
});
