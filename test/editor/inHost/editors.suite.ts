import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RavelExtension } from '../../../src/extension.ts';
import { answerWith } from './answers.ts';

const task = (id: string, more = '') =>
  `- id: ${id}\n  title: Do ${id}\n  category: work\n  status: not_started\n${more}`;

describe('the editor of a plan file', () => {
  let ui: RavelExtension['ui'];
  let plan: string;
  let directory: string;

  before(async () => {
    const extension = vscode.extensions.getExtension<RavelExtension>('ravel.ravel');
    ui = (await extension?.activate())?.ui ?? fail('The extension is not there.');
    const { link, model } = ui;
    if (model.stage !== 'ready') await heard(model.onDidChange, () => model.stage === 'ready');
    plan = [...model.outline.nodes.keys()][0] ?? fail('There is no plan.');
    directory = join(link.value?.vault ?? '', 'projects', plan);
    const api = link.value?.api;
    await api?.request('create', { plan: `${plan}/search`, description: 'Finding *things*' });
    await heard(model.onDidChange, () => model.plan(`${plan}/search`) !== undefined);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  /** Shows a file with this text, which is not saved; waits until it was looked at. */
  async function show(name: string, text: string): Promise<vscode.TextDocument> {
    const path = join(directory, name);
    await writeFile(path, '', { flag: 'a' });
    const onDisk = await readFile(path, 'utf8');
    const document = await vscode.workspace.openTextDocument(path);
    const editor = await vscode.window.showTextDocument(document);
    // The editor reads a file again when it shows it, and refuses an edit of a text that changes just then.
    await heard(vscode.workspace.onDidChangeTextDocument, () => document.getText() === onDisk);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    ok(await editor.edit((edit) => edit.replace(whole, text)), `The editor does not take the text of ${name}.`);
    return document;
  }

  /** What is wrong, once it is just this; a document that was shown before may still say what was wrong with that text. */
  async function problems(document: vscode.TextDocument, ...codes: readonly string[]): Promise<vscode.Diagnostic[]> {
    const shown = () => vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'ravel');
    const isSo = () => JSON.stringify(shown().map(codeOf)) === JSON.stringify(codes);
    if (!isSo()) await heard(vscode.languages.onDidChangeDiagnostics, isSo);
    return shown();
  }

  async function actions(document: vscode.TextDocument, range: vscode.Range, kind?: string) {
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      kind,
    );
    return found.filter(({ edit }) => edit !== undefined);
  }

  it('reports a problem while it is typed, with a link to its documentation', async () => {
    const document = await show('backlog.yaml', `tasks:\n${task('a').replace('not_started', 'dne')}`);
    const [problem] = await problems(document, 'yaml/schema');
    deepStrictEqual(problem?.range, new vscode.Range(4, 10, 4, 13));
    const code = problem?.code as { readonly value: string; readonly target: vscode.Uri };
    strictEqual(code.value, 'yaml/schema');
    ok(code.target.path.endsWith('/docs/troubleshooting.md'));
    strictEqual(document.isDirty, true);
  });

  it('names the other place that a problem is about', async () => {
    const document = await show('backlog.yaml', `tasks:\n${task('a')}${task('a')}`);
    const [problem] = await problems(document, 'yaml/duplicateId');
    deepStrictEqual(problem?.relatedInformation?.[0]?.location.range, new vscode.Range(1, 6, 1, 7));
    strictEqual(problem?.relatedInformation?.[0]?.location.uri.fsPath, document.uri.fsPath);
  });

  it('has a quick fix that can be undone and changes only its own place', async () => {
    const text = `# Mine\ntasks:\n${task('a', '  dependencies: []   # none\n').replace('not_started', 'not-started')}`;
    const document = await show('backlog.yaml', text);
    const [problem] = await problems(document, 'yaml/schema');
    const [action] = await actions(document, problem?.range ?? new vscode.Range(0, 0, 0, 0));
    strictEqual(action?.title, 'Replace with "not_started"');
    strictEqual(action?.isPreferred, true);
    await vscode.workspace.applyEdit(action?.edit ?? fail('It has no edit.'));
    strictEqual(document.getText(), text.replace('not-started', 'not_started'));
    await problems(document);
    await vscode.commands.executeCommand('undo');
    strictEqual(document.getText(), text);
  });

  it('fixes all safe problems at once', async () => {
    const text = `tasks:\n${task('a').replace('not_started', 'not-started')}${task('b')}${task('b')}`;
    const document = await show('backlog.yaml', text);
    await problems(document, 'yaml/schema', 'yaml/duplicateId');
    const [action] = await actions(document, new vscode.Range(0, 0, document.lineCount, 0), 'source.fixAll.ravel');
    await vscode.workspace.applyEdit(action?.edit ?? fail('There is none.'));
    await problems(document);
    ok(document.getText().includes('id: b-2'));
  });

  it('shows actions above a task unless the setting is off', async () => {
    const document = await show('backlog.yaml', `tasks:\n${task('a')}${task('b').replace('not_started', 'done')}`);
    const lenses = () =>
      vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
    const shown = (await lenses()).map(({ range, command }) => [range.start.line, command?.title, command?.arguments]);
    deepStrictEqual(shown, [
      [1, 'Start task', [plan, 'a']],
      [1, 'Dispatch…', [plan, 'a']],
      [5, 'Why is this here?', [plan, 'b']],
    ]);
    const settings = vscode.workspace.getConfiguration('ravel');
    await settings.update('codeLens', false, vscode.ConfigurationTarget.Global);
    deepStrictEqual(await lenses(), []);
    await settings.update('codeLens', undefined, vscode.ConfigurationTarget.Global);
  });

  async function labels(document: vscode.TextDocument, line: number, character: number): Promise<string[]> {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(line, character),
    );
    const own = items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
    return own.map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  it('completes statuses, tasks and plans', async () => {
    const backlog = await show('backlog.yaml', `tasks:\n${task('a')}${task('b', '  dependencies: []\n')}- status: `);
    deepStrictEqual(await labels(backlog, 9, 17), ['a']);
    deepStrictEqual(await labels(backlog, 10, 10), ['not_started', 'in_progress', 'done', 'blocked']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    const dispatches = await show('dispatches.yaml', 'dispatches:\n- target-plan: ');
    deepStrictEqual(await labels(dispatches, 1, 15), [`${plan}/search`]);
  });

  it('checks, repairs and completes the policy of the vault, and tries a command on it', async () => {
    const document = await show('../../../policy.yaml', 'permissions:\n  denny: ["Bash(frob *)"]\n');
    const [problem] = await problems(document, 'yaml/schema');
    deepStrictEqual(problem?.range, new vscode.Range(1, 2, 1, 7));
    const [action] = await actions(document, problem?.range ?? new vscode.Range(0, 0, 0, 0));
    strictEqual(action?.title, 'Replace with "deny"');
    await vscode.workspace.applyEdit(action?.edit ?? fail('It has no edit.'));
    await problems(document);
    ok((await labels(document, 1, 10)).includes('Bash(…)'));
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    deepStrictEqual(
      lenses.map(({ range, command }) => [range.start.line, command?.command]),
      [[0, 'ravel.tryCommand']],
    );
    await document.save();
    const { asked, restore } = answerWith(ui.prompter, [() => 'frob now', () => undefined]);
    try {
      await vscode.commands.executeCommand('ravel.tryCommand', plan);
    } finally {
      restore();
      await rm(document.uri.fsPath);
    }
    ok(asked.at(-1)?.text.startsWith('Refused: Bash frob now'), asked.at(-1)?.text);
    ok(asked.at(-1)?.text.includes('policy.yaml:2'), asked.at(-1)?.text);
  });

  it('explains keys and names in a hover that shows markup as plain text', async () => {
    const document = await show(
      'dispatches.yaml',
      `dispatches:\n- target-plan: ${plan}/search\n  reason: A\n  body: B\n`,
    );
    const hover = async (line: number, character: number) => {
      const at = new vscode.Position(line, character);
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        at,
      );
      return found
        .flatMap(({ contents }) => contents)
        .map((one) => (typeof one === 'string' ? one : one.value))
        .join();
    };
    ok((await hover(2, 4)).includes('Why it is sent'));
    const told = await hover(1, 20);
    ok(told.includes('&#42;things&#42;'), told);
    ok(told.includes('command:ravel.openPlan'), told);
  });

  it('goes from a name to its definition', async () => {
    const target = join(directory, 'search', 'plan-state.md');
    const document = await show(
      'dispatches.yaml',
      `dispatches:\n- target-plan: ${plan}/search\n  reason: A\n  body: B\n`,
    );
    const at = new vscode.Position(1, 20);
    const [definition] = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    strictEqual(definition?.uri.fsPath, target);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    deepStrictEqual(
      links.map((link) => link.target?.fsPath),
      [target],
    );
  });

  it('renames a task in every place in one step', async () => {
    const text = `tasks:\n${task('a')}${task('b', '  dependencies: [a]\n')}`;
    const document = await show('backlog.yaml', text);
    const rename = async (name: string) =>
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        document.uri,
        new vscode.Position(9, 18),
        name,
      );
    const edit = await rename('first');
    await vscode.workspace.applyEdit(edit);
    strictEqual(document.getText(), text.replace('id: a', 'id: first').replace('[a]', '[first]'));
    await rejects(rename('b'), /A task "b" already exists/);
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      new vscode.Position(1, 8),
    );
    deepStrictEqual(
      found.map(({ range }) => range.start.line),
      [1, 9],
    );
  });

  it('shows an outline', async () => {
    const text = `tasks:\n${task('a')}received:\n- id: m\n  from: ${plan}\n  at: now\n  reason: Please\n  body: B\n  state: new\n`;
    const document = await show('backlog.yaml', text);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    deepStrictEqual(
      symbols.map(({ name, children }) => [name, children.map((child) => child.name)]),
      [
        ['tasks', ['a']],
        ['received', ['m']],
      ],
    );
  });

  it('decides about a message from its code lens, but not while the text is unsaved', async () => {
    const message = `received:\n- id: m\n  from: ${plan}\n  at: now\n  reason: Please rank\n  body: B\n  state: new\n`;
    const document = await show('backlog.yaml', `tasks: []\n${message}`);
    const unsaved = answerWith(ui.prompter, []);
    strictEqual(await vscode.commands.executeCommand('ravel.promoteReceived', plan, 'm'), undefined);
    unsaved.restore();
    ok(unsaved.asked[0]?.text.includes('unsaved changes'));
    await document.save();
    const answers = answerWith(ui.prompter, [() => 'Rank by stock', () => 'ranking']);
    await vscode.commands.executeCommand('ravel.promoteReceived', plan, 'm');
    answers.restore();
    const text = await readFile(document.uri.fsPath, 'utf8');
    ok(text.includes('id: rank-by-stock'), text);
    ok(text.includes('state: promoted'), text);
  });

  it('says so if nothing is staged or no message waits', async () => {
    for (const [command, said] of [
      ['ravel.compareStaged', 'nothing is staged'],
      ['ravel.declineReceived', 'No messages wait'],
    ] as const) {
      const { asked, restore } = answerWith(ui.prompter, []);
      await vscode.commands.executeCommand(command);
      restore();
      ok(asked[0]?.text.includes(said), asked[0]?.text);
    }
  });

  it('renames a plan once the person confirms it', async () => {
    const document = await show(
      'dispatches.yaml',
      `dispatches:\n- target-plan: ${plan}/search\n  reason: A\n  body: B\n`,
    );
    const answers = answerWith(ui.prompter, [() => true]);
    await vscode.commands.executeCommand(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      new vscode.Position(1, 20),
      `${plan}/find`,
    );
    answers.restore();
    strictEqual(answers.asked[0]?.kind, 'confirm');
    await heard(ui.model.onDidChange, () => ui.model.plan(`${plan}/find`) !== undefined);
  });

  it('leaves every other file alone', async () => {
    const folder = join(ui.link.value?.vault ?? '', 'knowledge');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'backlog.yaml');
    await writeFile(path, 'tasks:\n- status: nonsense\n');
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    deepStrictEqual(lenses, []);
    deepStrictEqual(await labels(document, 1, 10), []);
    deepStrictEqual(vscode.languages.getDiagnostics(document.uri), []);
  });

  it('lists problems of files that are not open until they are fixed', async () => {
    const path = join(directory, 'find', 'phase.md');
    const before = await readFile(path, 'utf8');
    const uri = vscode.Uri.file(path);
    const shown = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'ravel');
    await writeFile(path, 'wrok\n');
    await heard(vscode.languages.onDidChangeDiagnostics, () => shown().length === 1);
    await writeFile(path, before);
    await heard(vscode.languages.onDidChangeDiagnostics, () => shown().length === 0);
  });

  it('reports a file that is too large, too deep or malformed as such', async function () {
    // Four texts, one after the other, on a machine that may be busy.
    this.timeout(90_000);
    const bomb = 'a: &a [x,x]\nb: &b [*a,*a]\ntasks: [*b]\n';
    for (const [text, code] of [
      [`tasks: "${'x'.repeat(600_000)}"\n`, 'disk/tooLarge'],
      [`tasks: ${'['.repeat(200)}${']'.repeat(200)}`, 'yaml/bomb'],
      [bomb, 'yaml/bomb'],
      ['tasks:\n- id: "\u0007\u202e"\n', 'yaml/schema'],
    ] as const) {
      const document = await show('backlog.yaml', text);
      const own = () =>
        vscode.languages.getDiagnostics(document.uri).some((one) => one.source === 'ravel' && codeOf(one) === code);
      if (!own()) await heard(vscode.languages.onDidChangeDiagnostics, own);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  after(async () => {
    await rm(join(directory, 'dispatches.yaml'), { force: true });
    await rm(join(ui.link.value?.vault ?? '', 'knowledge', 'backlog.yaml'), { force: true });
  });
});

/** Resolves once `isSo`, which is asked whenever the event comes. */
function heard<T>(event: (listener: (value: T) => void) => { dispose(): unknown }, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = event(() => {
      if (!isSo()) return;
      subscription.dispose();
      resolve();
    });
    if (isSo()) {
      subscription.dispose();
      resolve();
    }
  });
}

function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

function fail(message: string): never {
  throw new Error(message);
}
