import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CycleReport } from '../../../src/model/requests/runs.ts';
import type { UiContext } from '../../../src/ui/uiContext.ts';
import { type Answer, answerWith, type Question } from './answers.ts';
import { whenShown } from './readContext.ts';

/** From nothing to a demo, by the commands that the walkthrough leads through. */
describe('the start commands', () => {
  let ui: UiContext;
  let shownBefore: string | undefined;
  let home: string;

  before(async () => {
    const extension = vscode.extensions.getExtension<{ ui: UiContext }>('ravel.ravel');
    if (extension === undefined) throw new Error('The extension is not there.');
    ui = (await extension.activate()).ui;
    await opened();
    shownBefore = ui.link.value?.vault;
    home = realpathSync(mkdtempSync(join(tmpdir(), 'ravel-start-')));
  });

  after(async () => {
    await ui.show(shownBefore);
    rmSync(home, { recursive: true, force: true });
  });

  /** Runs a command as the palette does; gives its result, and every question it asked. What failed is told as a question. */
  async function run(command: string, answers: readonly Answer[], ...args: unknown[]) {
    const { asked, restore } = answerWith(ui.prompter, answers);
    try {
      return { result: await vscode.commands.executeCommand(`ravel.${command}`, ...args), asked };
    } finally {
      restore();
    }
  }

  /** The first vault of the window is opened a moment after the extension started. */
  async function opened(): Promise<void> {
    if (ui.link.value !== undefined) return;
    await new Promise<void>((resolve) => {
      const listening = ui.link.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  function folder(name: string): vscode.Uri {
    mkdirSync(join(home, name), { recursive: true });
    return vscode.Uri.file(join(home, name));
  }

  function repository(name: string): vscode.Uri {
    const uri = folder(name);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: uri.fsPath });
    return uri;
  }

  const texts = (asked: readonly Question[]) => asked.map(({ kind, text }) => `${kind}: ${text}`);
  const errors = (asked: readonly Question[]) => asked.filter(({ kind }) => kind === 'error');

  it('create a vault in a new folder and check its name while it is typed', async () => {
    const place = folder('place');
    writeFileSync(join(place.fsPath, 'other'), '');
    let problem: string | undefined;
    const { result } = await run('createVault', [
      () => place,
      (question) => {
        problem = question.problem('a/b');
        return 'my vault';
      },
    ]);
    strictEqual(result, join(place.fsPath, 'my vault'));
    match(problem ?? '', /one folder/);
    strictEqual(ui.link.value?.state.kind, 'owner');
    ok(existsSync(join(place.fsPath, 'my vault', 'ravel.toml')));
  });

  it('make an empty folder a vault without a further question', async () => {
    const empty = folder('empty');
    const { result, asked } = await run('createVault', [() => empty]);
    strictEqual(result, empty.fsPath);
    deepStrictEqual(
      asked.map(({ kind }) => kind),
      ['folder', 'info'],
    );
    deepStrictEqual(asked[1]?.buttons, ['Adopt a Project…']);
  });

  it('say what to do instead of using a folder that holds files', async () => {
    const place = folder('taken');
    mkdirSync(join(place.fsPath, 'vault'));
    writeFileSync(join(place.fsPath, 'vault', 'mine'), '');
    const { asked } = await run('createVault', [() => place, () => 'vault']);
    match(errors(asked)[0]?.text ?? '', /not empty.*Open it if it is a vault/);
    deepStrictEqual(errors(asked)[0]?.buttons, ['Open It', 'Choose Another Folder…', 'Show Log']);
  });

  it('say what to do instead of using a folder without write permission', async () => {
    // The system's own, which no user can write to.
    const place = vscode.Uri.file(process.platform === 'darwin' ? '/System' : '/sys');
    const { asked } = await run('createVault', [() => place, () => 'vault']);
    match(errors(asked)[0]?.text ?? '', /No permission.*Choose a folder that you can write to/);
  });

  it('refuse to adopt a folder without a repository and offer git init', async () => {
    const plain = folder('plain');
    const { asked } = await run('adoptProject', [() => plain], undefined);
    const [told] = errors(asked);
    match(told?.text ?? '', /so a project needs a repository/);
    deepStrictEqual(told?.buttons, ['Run git init in Terminal', 'Choose Another Folder…', 'Show Log']);
  });

  it('adopt a repository with a description that is checked while it is typed', async () => {
    const problems: (string | undefined)[] = [];
    const { result } = await run(
      'adoptProject',
      [
        (question) => {
          problems.push(question.problem(''), question.problem('x'.repeat(121)), question.problem('All of the shop'));
          return 'All of the shop';
        },
      ],
      repository('shop'),
    );
    strictEqual(result, 'shop/project-root');
    match(problems[0] ?? '', /One sentence/);
    match(problems[1] ?? '', /121 characters, 1 more/);
    strictEqual(problems[2], undefined);
  });

  it('say of an adopted project which plan it has', async () => {
    const { asked } = await run('adoptProject', [], vscode.Uri.file(join(home, 'shop')));
    match(errors(asked)[0]?.text ?? '', /already adopted, as "shop"\. There is nothing left to do/);
    deepStrictEqual(errors(asked)[0]?.buttons, ['Show Plans', 'Show Log']);
  });

  it('ask for another name if another project has it', async () => {
    const { result, asked } = await run(
      'adoptProject',
      [() => 'The other shop', () => 'shop-2'],
      repository('else/shop'),
    );
    strictEqual(result, 'shop-2/project-root');
    match(texts(asked)[1] ?? '', /input: Adopt Project: .*"shop" is taken/);
  });

  it('create a plan below another one, but no second one of its name', async () => {
    const { result } = await run('createPlan', [() => 'search', () => 'Finding things'], 'shop/project-root');
    strictEqual(result, 'shop/project-root/search');
    const { asked } = await run('createPlan', [() => 'search', () => 'Finding things'], 'shop/project-root');
    match(errors(asked)[0]?.text ?? '', /it is a plan already.*Choose another name/);
  });

  it('add a task in a new category', async () => {
    const { result, asked } = await run(
      'addTask',
      [() => 'Round prices half up', () => 'Another Category…', () => 'pricing', () => ''],
      { plan: 'shop/project-root' },
    );
    strictEqual(result, 'round-prices-half-up');
    deepStrictEqual(
      asked.map(({ kind }) => kind),
      ['input', 'pick', 'input', 'input'],
    );
  });

  it('propose plans from a file that a person chooses, and an empty proposal, without a model', async () => {
    const list = vscode.Uri.file(join(home, 'wishes.md'));
    writeFileSync(list.fsPath, '- Filters\n  - Filter by colour\n  - Filter by size\n');
    const plan = { plan: 'shop/project-root' };
    const { result: listed, asked } = await run(
      'planGoal',
      [() => 'Read a List or Issues From a File…', () => list],
      plan,
    );
    deepStrictEqual(errors(asked), []);
    const { result: empty } = await run('planGoal', [() => 'Write Plans Yourself'], plan);
    const { approvals } = (await ui.link.value?.api.request('approvals', {})) ?? { approvals: [] };
    deepStrictEqual(
      approvals.map(({ approval, kind }) => [approval, kind]),
      [
        [listed, 'new-plans'],
        [empty, 'new-plans'],
      ],
    );
    const { sessions } = (await ui.link.value?.api.request('sessions', {})) ?? { sessions: undefined };
    deepStrictEqual(sessions, []);
    await whenShown((label) => label.startsWith('Question'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('say what is wrong with a file that holds no list, and propose nothing', async () => {
    const before = (await ui.link.value?.api.request('approvals', {}))?.approvals.length;
    const plan = { plan: 'shop/project-root' };
    for (const [name, text, reason] of [
      ['essay.md', 'Only prose.\n', /has no list with an open item/],
      ['large.md', `- x\n${'y'.repeat(1024 * 1024)}`, /more than 1,048,576 bytes.*Choose a file with a part of it/],
    ] as const) {
      const file = vscode.Uri.file(join(home, name));
      writeFileSync(file.fsPath, text);
      const { asked } = await run('planGoal', [() => 'Read a List or Issues From a File…', () => file], plan);
      match(errors(asked)[0]?.text ?? '', reason);
    }
    strictEqual((await ui.link.value?.api.request('approvals', {}))?.approvals.length, before);
  });

  it('ask which plan is meant if none is given', async () => {
    const { result, asked } = await run('addTask', [() => undefined]);
    strictEqual(result, undefined);
    ok(asked[0]?.choices.some(({ label }) => label === 'shop/project-root/search'));
  });

  it('say whether Claude Code is ready without opening a session', async () => {
    const program = join(home, 'claude');
    writeFileSync(program, '#!/bin/sh\necho "1.0.3 (Claude Code)"\n');
    chmodSync(program, 0o755);
    const settings = vscode.workspace.getConfiguration('ravel');
    await settings.update('claudeCode.program', program, vscode.ConfigurationTarget.Global);
    try {
      await ui.link.value?.reopen();
      const { result, asked } = await run('connectClaudeCode', []);
      strictEqual((result as { state: string }).state, 'tooOld');
      match(asked[0]?.text ?? '', /older than 2\.1\.0/);
      deepStrictEqual(asked[0]?.buttons, ['Update in Terminal', 'Choose Program…', 'Check Again']);
    } finally {
      await settings.update('claudeCode.program', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('take the file of Claude Code that a person chooses', async () => {
    const program = join(home, 'claude-new');
    writeFileSync(program, '#!/bin/sh\necho "2.1.9 (Claude Code)"\n');
    chmodSync(program, 0o755);
    try {
      const { result } = await run('connectClaudeCode', [
        ({ buttons }) => buttons.find((button) => button === 'Choose Program…'),
        () => vscode.Uri.file(program),
      ]);
      const look = result as { program?: string; version?: string };
      deepStrictEqual([look.program, look.version], [program, '2.1.9']);
    } finally {
      const settings = vscode.workspace.getConfiguration('ravel');
      await settings.update('claudeCode.program', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('examine the vault in a document whose lines link to their remedies', async () => {
    await run('runDoctor', []);
    const { document } = vscode.window.activeTextEditor ?? {};
    match(document?.getText() ?? '', /^# Ravel Doctor\n/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document?.uri,
    );
    ok(lenses.some(({ command }) => command?.command === 'ravel.connectClaudeCode'));
  });

  it('type the command of a message into a terminal without running it', async () => {
    const opening = new Promise<vscode.Terminal>((resolve) => {
      const listening = vscode.window.onDidOpenTerminal((terminal) => {
        listening.dispose();
        resolve(terminal);
      });
    });
    await run('typeInTerminal', [], { text: 'touch never', folder: home });
    const terminal = await opening;
    strictEqual(terminal.name, 'Ravel');
    strictEqual(existsSync(join(home, 'never')), false);
    terminal.dispose();
  });

  it('open only pages that a message names', async () => {
    const { asked } = await run('openPage', [], 'https://example.org/');
    match(errors(asked)[0]?.text ?? '', /This page does not belong to Ravel/);
  });

  it('run the demo in a separate vault and return to the first one', async function () {
    this.timeout(120_000);
    const mine = ui.link.value?.vault;
    const { result, asked } = await run('runDemo', [() => true, () => 'Go Back to My Vault']);
    const { stop, phases } = result as CycleReport;
    deepStrictEqual(
      [stop, phases.map(({ phase }) => phase)],
      ['cycle-ended', ['work', 'analyse-work', 'reflect', 'dream', 'triage']],
    );
    match(asked.at(-1)?.text ?? '', /The demo is complete: 5 phases/);
    deepStrictEqual(asked.at(-1)?.buttons, ['Go Back to My Vault', 'Connect Claude Code', 'Remove the Demo']);
    while (ui.link.value?.vault !== mine) await nextLink();
    strictEqual(ui.link.value?.vault, mine);
  });

  function nextLink(): Promise<void> {
    return new Promise((resolve) => {
      const listening = ui.link.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  it('ask for a vault if the window shows none', async () => {
    await ui.show(undefined);
    for (const command of ['adoptProject', 'createPlan', 'addTask', 'importPlan', 'connectClaudeCode', 'runDoctor']) {
      const { asked } = await run(command, []);
      deepStrictEqual(errors(asked)[0]?.buttons, ['Create Vault…', 'Open Vault…', 'Run the Demo', 'Show Log'], command);
    }
  });
});
