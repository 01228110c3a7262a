import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useEditorWorld } from '../support/editorWorld.ts';

/** Whatever of this is run, shows by a file, a global or a request to a host that is not ours. */
const attacks = [
  '<script>globalThis.ravelOwned = 1</script>',
  '<img src="http://evil.invalid/x.png" onerror="globalThis.ravelOwned = 1">',
  '[click me](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22touch%20owned%22%7D)',
  '[and me](javascript:globalThis.ravelOwned=1) ![beacon](http://evil.invalid/beacon.png)',
  '<a href="file:///etc/passwd">passwd</a> <iframe src="http://evil.invalid/frame"></iframe>',
].join('\n');
const unprintable = '\u202Etxt.exe\u0007\u001B]0;owned\u0007\u001B[2J\u200B';
const title = `Mind the <b>title</b> <img src=x onerror=globalThis.ravelOwned=1>`;
const longLine = 'x'.repeat(5 * 1024 * 1024);

const scenario = JSON.stringify({
  version: 1,
  phases: {
    work: [
      { say: attacks },
      { say: `${unprintable} rings and clears` },
      { run: { command: `printf '%s' '${attacks.replaceAll("'", '')}'` } },
      { run: { command: 'head -c 5000000 /dev/zero | tr "\\0" x' } },
      { say: 'The long line is behind us.' },
      { edit: { path: 'notes.md', content: 'mine' } },
      { finish: { outcome: 'needs-input', summary: `May I? ${attacks}` } },
    ],
  },
});

const editor = useEditorWorld({
  content: {
    name: 'hostile',
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario,
    plan: {
      'backlog.yaml': [
        'tasks:',
        '  - id: hostile-task',
        `    title: ${JSON.stringify(title)}`,
        '    category: attack',
        '    status: not_started',
        '    dependencies: []',
        `    description: ${JSON.stringify(attacks)}`,
        '',
      ].join('\n'),
      'memory.yaml': [
        'entries:',
        '  - id: hostile-entry',
        `    title: ${JSON.stringify(`Remember ${unprintable} ${title}`)}`,
        `    body: ${JSON.stringify(attacks)}`,
        '',
      ].join('\n'),
    },
  },
});

test('a hostile vault runs no code, sends no request, and leaves the window usable', async () => {
  const { world } = editor;
  const state = await readFile(join(world.planDirectory, 'plan-state.md'), 'utf8');
  await writeFile(
    join(world.planDirectory, 'plan-state.md'),
    state.replace(/^description:.*$/m, `description: ${JSON.stringify(title)}`),
  );
  await writeFile(join(world.planDirectory, 'memory-style.md'), `${attacks}\n${longLine}\n`);
  // A link of the project that leads out of it.
  const secret = join(world.root, 'secret.txt');
  await writeFile(secret, 'Nobody may see this.');
  await symlink(secret, join(world.project, 'notes.md'));
  const window = await editor.window();
  const { page } = window;
  const asked: string[] = [];
  page.context().on('request', (request) => asked.push(request.url()));
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    dialog.dismiss().catch(() => undefined);
  });

  await window.activity('Ravel');
  const row = window.treeItem(/hostile/).first();
  await row.waitFor();
  const label = (await row.getAttribute('aria-label')) ?? '';
  expect(label).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  await row.hover();
  await window.command('Run Phase');
  await window.pick('hostile/project-root');
  await window
    .treeItem(/waiting/i)
    .first()
    .waitFor({ timeout: 60_000 });
  await window.inlineAction(row, 'Open Plan');
  const runner = await window.webview();
  await runner.getByText('The long line is behind us.').waitFor();
  await window.screenshot('hostile-session');
  await runner
    .getByRole('button', { name: /^Write notes.md/ })
    .first()
    .click();
  await runner.getByRole('button', { name: 'Open File' }).first().click();
  await window.notification('is neither in the vault nor in the project').first().waitFor();
  expect(await window.tab('notes.md').count()).toBe(0);
  expect(await readFile(secret, 'utf8')).toBe('Nobody may see this.');
  for (const tab of ['Given', 'Changes', 'History', 'Backlog', 'Memory', 'Session']) {
    await runner.getByRole('tab', { name: tab }).click();
    await runner.getByRole('tabpanel').first().waitFor();
    await window.screenshot(`hostile-${tab.toLowerCase()}`);
  }
  // Nothing that was said has become a link that runs a command, here or in the notification.
  await window.notification('May I?').first().waitFor();
  expect(await window.notification('May I?').locator('.notification-list-item-message a').allInnerTexts()).toEqual([]);
  await runner.getByText('click me').first().click();
  await runner.getByText('and me').first().click();
  // The window still answers.
  expect(await window.offered('Ravel: Show Log')).not.toEqual([]);

  const owned = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => 'ravelOwned' in globalThis).catch(() => false)),
  );
  expect(owned.filter(Boolean)).toEqual([]);
  expect(asked.filter((url) => url.includes('evil.invalid'))).toEqual([]);
  expect(dialogs).toEqual([]);
  const everything = await readdir(world.root, { recursive: true });
  expect(everything.filter((path) => path.endsWith('owned'))).toEqual([]);
});
