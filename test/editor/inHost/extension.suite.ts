import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { UiContext } from '../../../src/ui/uiContext.ts';
import { type Answer, answerWith, type Question } from './answers.ts';
import { readContext } from './readContext.ts';

describe('the extension', () => {
  it('registers every command of its manifest', async () => {
    const extension = vscode.extensions.getExtension('ravel.ravel');
    if (extension === undefined) throw new Error('The extension is not there.');
    await extension.activate();
    const declared: { readonly command: string }[] = extension.packageJSON.contributes.commands;
    const present = new Set(await vscode.commands.getCommands(true));
    deepStrictEqual(
      declared.map(({ command }) => command).filter((command) => !present.has(command)),
      [],
    );
  });
});

describe('the keys of the extension', () => {
  it('begin with one that no command of the editor has', async () => {
    await vscode.commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    const keys = [...text.matchAll(/"key": "([^"]+)",[^{}]*?"command": "([^"]+)"/g)].map(([, key, command]) => ({
      key,
      command,
    }));
    ok(keys.length > 500, `${keys.length} keys are known`);
    const taken = keys.filter(
      ({ key = '', command = '' }) => /^ctrl\+alt\+h\b/.test(key) && !command.startsWith('ravel.'),
    );
    deepStrictEqual(taken, []);
    ok(keys.some(({ key, command }) => key === 'ctrl+alt+h x' && command === 'ravel.runNext'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});

describe('the vault of a window', () => {
  let ui: UiContext;
  let vault: string;

  before(async () => {
    ui = await readContext();
    vault = ui.link.value?.vault ?? '';
  });

  /** Runs a command with these answers, and gives what was asked. */
  async function command(name: string, args: readonly unknown[] = [], ...answers: Answer[]): Promise<Question[]> {
    const person = answerWith(ui.prompter, answers);
    try {
      await vscode.commands.executeCommand(`ravel.${name}`, ...args);
      return person.asked;
    } finally {
      person.restore();
    }
  }

  const shown = () => ui.link.value;
  const label = (text: string) => (question: Question) =>
    question.choices.find((choice) => choice.label.includes(text))?.label;

  it('closes by a command and opens again from the list of recent vaults', async () => {
    // What is opened by hand is remembered; what lay in the folder was not.
    await command('openVault', [vscode.Uri.file(vault)]);
    await command('closeVault');
    strictEqual(shown(), undefined);
    const [asked] = await command('switchVault', [], label('vault'));
    ok(asked?.choices.some(({ detail }) => detail === vault));
    strictEqual(shown()?.state.kind, 'owner');
    strictEqual(shown()?.vault, vault);
  });

  it('is refused without ravel.toml, and the refusal says what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ravel-none-'));
    const [told] = await command('openVault', [vscode.Uri.file(folder)]);
    await rm(folder, { recursive: true });
    strictEqual(told?.kind, 'error');
    match(told?.text ?? '', /no ravel\.toml/);
    strictEqual(ui.link.value?.vault, vault);
  });

  it('shows its state on a click on the status bar', async () => {
    const [asked] = await command('showStatus');
    const labels = asked?.choices.map((choice) => choice.label) ?? [];
    ok(labels.some((one) => one.includes('Show Plans')));
    ok(!labels.some((one) => one.includes('Manage Workspace Trust')));
  });

  it('takes a changed setting of the editor before its own', async () => {
    const configuration = vscode.workspace.getConfiguration('ravel');
    const { link } = ui;
    const opened = () => new Promise<void>((resolve) => link.value?.onDidOpen(resolve));
    const limit = async () => {
      const found = await link.value?.api.request('settings', {});
      const { value, from } = found?.settings.find(({ path }) => path === 'limits.session-usd') ?? {};
      return { value, from };
    };
    const again = opened();
    await configuration.update('sessionUsd', 2, vscode.ConfigurationTarget.Global);
    await again;
    deepStrictEqual(await limit(), { value: 2, from: 'editor' });
    const back = opened();
    await configuration.update('sessionUsd', undefined, vscode.ConfigurationTarget.Global);
    await back;
    deepStrictEqual(await limit(), { value: 10, from: 'default' });
  });
});

describe('a search of the vault', () => {
  it('opens the file of what is chosen at its entry', async () => {
    const { prompter } = await readContext();
    const person = answerWith(prompter, [() => 'browsers']);
    await vscode.commands.executeCommand('ravel.searchVault');
    person.restore();
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    match(document?.uri.path ?? '', /\/(?:memory|backlog|session-log)\.yaml$/);
    match(document?.lineAt(selection?.active.line ?? 0).text ?? '', /id: /);
  });
});

describe('the key of Claude Code', () => {
  it('is kept in the secret storage alone until it is removed', async () => {
    const { context, prompter } = await readContext();
    const key = 'sk-ant-0123456789';
    const person = answerWith(prompter, [
      ({ problem }) => {
        ok(problem('short') !== undefined);
        return ` ${key}\n`;
      },
    ]);
    await vscode.commands.executeCommand('ravel.setApiKey');
    strictEqual(await context.secrets.get('ravel.anthropicApiKey'), key);
    await vscode.commands.executeCommand('ravel.removeApiKey');
    strictEqual(await context.secrets.get('ravel.anthropicApiKey'), undefined);
    person.restore();
    ok(person.asked.every(({ text }) => !text.includes(key)));
    ok([...context.globalState.keys(), ...context.workspaceState.keys()].every((name) => !name.includes('Key')));
  });
});
