import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { RehearsalReport } from '../../../src/model/rehearsal.ts';
import type { UiContext } from '../../../src/ui/uiContext.ts';
import { answerWith, type Question } from './answers.ts';
import { readContext, whenSeen, whenShown } from './readContext.ts';

/** What a person answers by the kind of question; a question without an answer is turned away. */
interface Answers {
  readonly confirm?: boolean;
  /** The beginning of a label. */
  readonly pick?: string;
  /** One after the other. */
  readonly input?: string | readonly string[];
  /** For each message that has buttons, what is done with it, one after the other: the button pressed. */
  readonly press?: readonly ((buttons: readonly string[]) => Promise<string>)[];
}

type Steps = readonly Readonly<Record<string, unknown>>[];

const done = { finish: { outcome: 'done', summary: 'Learned.' } };
const learn: Steps = [{ call: 'memory_add', with: { title: 'Learned', body: 'Something.' } }, done];
const ask: Steps = [{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }];
const crash: Steps = [{ crash: 'SIGSEGV' }];
const doors = (count: string) =>
  `entries:\n  - id: doors\n    title: About doors\n    body: |\n      There are ${count} doors.\n`;

describe('the commands of the trees', () => {
  let ui: UiContext;
  let folder: string;
  let count = 0;

  before(async () => {
    ui = await readContext();
    folder = await mkdtemp(join(tmpdir(), 'ravel-suite-'));
  });

  after(() => rm(folder, { recursive: true }));

  const api = () => {
    const { link } = ui.model;
    if (link === undefined) throw new Error('No vault is open.');
    return link.api;
  };

  /** A plan of its own for each test, before a reflection: the cheapest phase there is. */
  async function makePlan(): Promise<{ readonly plan: QualifiedId; readonly directory: string }> {
    const [root = ''] = [...ui.model.outline.nodes.keys()];
    const made = await api().request('create', { plan: `${root}/tried-${count++}`, description: 'Is tried' });
    await writeFile(join(made.directory, 'phase.md'), 'reflect\n');
    await writeFile(join(made.directory, 'memory.yaml'), doors('two'));
    await whenSeen(ui, () => ui.model.plan(made.plan)?.row);
    return made;
  }

  async function scenario(steps: Steps, phase = 'reflect'): Promise<string> {
    const file = join(folder, `scenario-${count++}.yaml`);
    await writeFile(file, JSON.stringify({ version: 1, phases: { [phase]: steps } }));
    return file;
  }

  /** Runs a command as a menu does; gives its result, what it asked and what it told. */
  async function command(
    name: string,
    args: readonly unknown[],
    { confirm, pick, input = [], press = [] }: Answers = {},
  ) {
    const inputs = [input].flat();
    const presses = [...press];
    const answer = ({ kind, buttons, choices, problem }: Question): unknown => {
      if (kind === 'info' && buttons.length > 0) return presses.shift()?.(buttons);
      if (kind === 'confirm') return confirm;
      if (kind === 'pick')
        return pick === undefined ? undefined : choices.find(({ label }) => label.startsWith(pick))?.label;
      if (kind !== 'input') return undefined;
      const text = inputs.shift();
      strictEqual(text === undefined ? undefined : (problem(text) ?? undefined), undefined);
      return text;
    };
    const { asked, restore } = answerWith(
      ui.prompter,
      Array.from({ length: 20 }, () => answer),
    );
    try {
      const result = await vscode.commands.executeCommand(`ravel.${name}`, ...args);
      const isTold = ({ kind }: Question) => kind === 'info' || kind === 'warn' || kind === 'error';
      return {
        result,
        messages: asked.filter(isTold).map(({ text }) => text),
        questions: asked.filter((question) => !isTold(question)).map(({ text }) => text),
      };
    } finally {
      restore();
    }
  }

  const run = async (plan: string, steps: Steps) =>
    command('runPhase', [plan, { harness: 'scripted', scenario: await scenario(steps) }]);

  const textOf = (scheme: string) =>
    vscode.workspace.textDocuments.find((document) => document.uri.scheme === scheme && !document.isClosed)?.getText();

  async function askedOf(plan: string) {
    return whenSeen(ui, () => ui.model.approvals.find((row) => row.plan === plan));
  }

  it('run a phase, and the model learns of its end', async () => {
    const { plan } = await makePlan();
    const { messages } = await run(plan, learn);
    deepStrictEqual(messages, []);
    await whenSeen(ui, () => (ui.model.plan(plan)?.row?.phase === 'triage' ? true : undefined));
  });

  it('rehearse a plan on a copy, and open what it would have changed', async () => {
    const { plan, directory } = await makePlan();
    const phase = () => readFile(join(directory, 'phase.md'), 'utf8');
    const { questions, result, messages } = await command('rehearsePlan', [plan], { pick: 'Play a Scenario' });
    deepStrictEqual({ questions, messages }, { questions: ['Rehearse Plan'], messages: [] });
    const { report } = result as RehearsalReport;
    deepStrictEqual(
      report.phases.map((one) => `${one.phase} ${one.end}`),
      ['reflect finished', 'triage finished'],
    );
    match(textOf('ravel-rehearsal') ?? '', /^# Rehearsal of [\s\S]*## Commits it would have made/);
    strictEqual(await phase(), 'reflect\n');
  });

  it('ask which plan is meant if none is given', async () => {
    const { plan, directory } = await makePlan();
    const { questions, result } = await command('openPlanFolder', [], { pick: plan });
    deepStrictEqual(questions, ['Open Folder of Plan']);
    strictEqual((result as vscode.Uri).fsPath, directory);
    await command('copyPlanId', [plan]);
    strictEqual(await vscode.env.clipboard.readText(), plan);
  });

  it('report a crashed phase, which a person can dismiss', async () => {
    const { plan } = await makePlan();
    const { messages } = await run(plan, crash);
    match(messages.join(), /reflect (failed|interrupted)/);
    await whenSeen(ui, () => ui.model.plan(plan)?.row?.waiting);
    const dismissed = await command('dismissPhase', [`interrupted:${plan}`], { confirm: true });
    deepStrictEqual(dismissed.questions, ['Dismiss the phase?']);
    await whenSeen(ui, () => (ui.model.plan(plan)?.row?.waiting === undefined ? true : undefined));
  });

  it('show a question as a text and take the answer', async () => {
    const { plan } = await makePlan();
    await run(plan, ask);
    const { approval } = await askedOf(plan);
    await command('showApprovalPage', [`approval:${approval}`]);
    match(textOf('ravel-approval') ?? '', /Which colour\?/);
    // Called from the button above the text, which hands over the address.
    const uri = vscode.window.activeTextEditor?.document.uri;
    const { messages, questions } = await command('acceptApproval', [uri], { input: 'Blue.' });
    ok(questions.some((question) => question.includes('Which colour?')));
    ok(messages.length <= 1, messages.join());
    // It goes on by itself, and its next session asks the same again.
    await whenSeen(ui, () => ui.model.approvals.find((row) => row.plan === plan && row.approval !== approval));
    ok(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).every(({ label }) => !label.startsWith('Question')));
  });

  it('tell of a question by a notification, whose button turns them off', async () => {
    const { plan } = await makePlan();
    const settings = () => vscode.workspace.getConfiguration('ravel.notifications');
    const { Global } = vscode.ConfigurationTarget;
    await settings().update('questions', true, Global);
    const before = { ...ui.prompter };
    const told = new Promise<readonly string[]>((resolve) => {
      ui.prompter.news = async (_tone, ...texts) => {
        resolve(texts);
        return texts.at(-1);
      };
    });
    const said = new Promise<string>((resolve) => {
      ui.prompter.info = async (message) => {
        resolve(message);
        return undefined;
      };
    });
    try {
      await api().request('run_phase', { plan, harness: 'scripted', scenario: await scenario(ask) });
      const [message = '', ...buttons] = await told;
      match(message, /tried-\d+ has a question for you: .*Which colour\?/);
      deepStrictEqual(buttons, ['Answer', "Don't Show Again"]);
      match(await said, /^Notifications about questions are off now\..*ravel\.notifications\.questions/);
      strictEqual(settings().get('questions'), false);
    } finally {
      Object.assign(ui.prompter, before);
      await settings().update('questions', false, Global);
    }
  });

  it('take a long answer from an editor', async () => {
    const { plan } = await makePlan();
    await run(plan, ask);
    const { approval } = await askedOf(plan);
    await command('answerApproval', [approval], { pick: 'Send Answer', input: '' });
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) throw new Error('No editor was opened.');
    ok(editor.document.uri.path.includes(approval), editor.document.uri.toString());
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Blue,\nand a little green.'));
    await command('useThisText', [editor.document.uri]);
    await whenSeen(ui, () => (ui.model.approvals.some((row) => row.approval === approval) ? undefined : true));
    strictEqual(vscode.window.activeTextEditor?.document.isUntitled ?? false, false);
  });

  it('reject a question only after a confirmation', async () => {
    const { plan } = await makePlan();
    await run(plan, ask);
    const { approval } = await askedOf(plan);
    await command('rejectApproval', [approval], { confirm: false });
    strictEqual((await api().request('approvals', { plan })).approvals.length, 1);
    await command('rejectApproval', [approval], { confirm: true });
    strictEqual((await api().request('approvals', { plan })).approvals.length, 0);
  });

  it('say who answered first', async () => {
    const { plan } = await makePlan();
    await run(plan, ask);
    const row = await askedOf(plan);
    await command('showApprovalPage', [row.approval]);
    await api().request('decide', { ...row, decision: 'reject' });
    const { messages } = await command('acceptApproval', [row.approval], { input: 'Blue.' });
    match(messages.join(), /rejected .* at .*it is final/);
    await whenSeen(ui, () =>
      textOf('ravel-approval')?.includes('This question has been answered') ? true : undefined,
    );
  });

  it('show both sides of a conflict and save the edited text', async () => {
    const { plan, directory } = await makePlan();
    let written: Promise<void> | undefined;
    const listening = api().onEvent((event) => {
      if (event.actor !== plan || event.type !== 'session.verb' || written !== undefined) return;
      written = writeFile(join(directory, 'memory.yaml'), doors('four'));
    });
    const rewrite = { call: 'memory_set_body', with: { id: 'doors', body: 'There are three doors.\n' } };
    const more = { call: 'memory_add', with: { title: 'Learned', body: 'Something.\n' } };
    await run(plan, [rewrite, more, done]);
    listening.dispose();
    await written;
    const { approval, kind } = await askedOf(plan);
    strictEqual(kind, 'merge-conflict');
    await command('compareApproval', [approval]);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
    );
    match(left ?? '', /four doors/);
    match(right ?? '', /three doors/);
    await command('editApproval', [input.modified]);
    const editor = vscode.window.activeTextEditor;
    ok(editor?.document.isUntitled);
    const text = editor.document.getText();
    const at = editor.document.positionAt(text.lastIndexOf('four doors'));
    await editor.edit((edit) => edit.replace(new vscode.Range(at, at.translate(0, 'four'.length)), 'five'));
    await command('useThisText', [editor.document.uri]);
    match(await readFile(join(directory, 'memory.yaml'), 'utf8'), /five doors[\s\S]*learned/);
  });

  it('begin a phase by hand and drop it', async () => {
    const { plan } = await makePlan();
    const { messages } = await command('beginManualRun', [plan]);
    match(messages.join(), /You have reflect open/);
    ok(vscode.window.visibleTextEditors.length >= 2);
    await whenSeen(ui, () => ui.model.plan(plan)?.row?.running?.manual);
    const refused = await command('finishManualRun', [plan], { input: 'Looked at it.', confirm: false });
    match(refused.questions.join(), /Finish the phase as it is\?/);
    await command('dropManualRun', [plan], { confirm: true });
    await whenSeen(ui, () => (ui.model.plan(plan)?.row?.running === undefined ? true : undefined));
  });

  it('send a note and a dispatch', async () => {
    const { plan, directory } = await makePlan();
    await command('sendNote', [plan], { input: 'Mind the gap' });
    await command('dispatchTask', [plan], { input: ['Paint the door', 'It is grey'] });
    await whenSeen(ui, () => ((ui.model.plan(plan)?.row?.counts.received ?? 0) >= 2 ? true : undefined));
    match(await readFile(join(directory, 'backlog.yaml'), 'utf8'), /Paint the door/);
  });

  it('rename, remove and restore a plan', async () => {
    const { plan } = await makePlan();
    const renamed = `${plan}-renamed` as QualifiedId;
    await command('renamePlan', [plan], { input: renamed });
    await whenSeen(ui, () => ui.model.plan(renamed));
    strictEqual(ui.model.plan(plan), undefined);
    await command('removePlan', [renamed], { confirm: true });
    await whenSeen(ui, () => (ui.model.plan(renamed) === undefined ? true : undefined));
    await command('restorePlan', [], { pick: renamed });
    await whenSeen(ui, () => ui.model.plan(renamed));
  });

  it('show what going back would change, put the plan back, and undo that', async () => {
    const { plan, directory } = await makePlan();
    const memory = () => readFile(join(directory, 'memory.yaml'), 'utf8');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
    git('config', 'user.name', 'Robin');
    git('config', 'user.email', 'robin@example.org');
    const commit = (title: string) => {
      git('add', '--', '.');
      git('commit', '--quiet', '--message', title, '--', '.');
    };
    commit('Two doors');
    await writeFile(join(directory, 'memory.yaml'), doors('nine'));
    commit('Nine doors');
    let sides: readonly string[] = [];
    let label: string | undefined;
    let putBack: string | undefined;
    const { messages } = await command('rollBackPlan', [plan], {
      pick: 'Two doors',
      press: [
        async ([button = '']) => {
          await whenShown((one) => one.startsWith('Going back'));
          label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
          sides = vscode.workspace.textDocuments
            .filter(({ uri }) => uri.scheme === 'ravel-snapshot' && uri.path === '/memory.yaml')
            .map((document) => document.getText());
          return button;
        },
        async ([button = '']) => {
          putBack = await memory();
          return button;
        },
      ],
    });
    match(label ?? '', /Going back to /);
    deepStrictEqual([...sides].sort(), [doors('nine'), doors('two')]);
    strictEqual(putBack, doors('two'));
    strictEqual(messages.length, 2, messages.join());
    match(messages[1] ?? '', /is back as it was/);
    strictEqual(await memory(), doors('nine'));
  });

  it('show what a file becomes that unfinished work changed, put it back, and undo that', async () => {
    const { plan, directory } = await makePlan();
    const { project } = await api().request('status', { plan });
    for (const [key, value] of [
      ['user.name', 'Robin'],
      ['user.email', 'robin@example.org'],
    ] as const)
      execFileSync('git', ['config', key, value], { cwd: directory });
    const task = '  - id: door\n    title: Door\n    category: core\n    status: not_started\n    dependencies: []\n';
    await writeFile(join(directory, 'backlog.yaml'), `tasks:\n${task}    description: |\n      Make a door.\n`);
    await writeFile(join(directory, 'phase.md'), 'work\n');
    const file = join(project, 'door.txt');
    await writeFile(file, 'wood\n');
    const steps = [{ edit: { path: 'door.txt', content: 'iron\n' } }, { exit: 3 }];
    await command('runPhase', [plan, { harness: 'scripted', scenario: await scenario(steps, 'work') }]);
    const seen: string[] = [];
    let sides: readonly string[] = [];
    const { messages } = await command('putBackFiles', [plan, { path: 'door.txt', to: 'before' }], {
      press: [
        async ([button = '']) => {
          await whenShown((one) => one.startsWith('Files that go back'));
          sides = vscode.workspace.textDocuments
            .filter(({ uri }) => uri.scheme === 'ravel-put-back' && uri.path === '/door.txt')
            .map((document) => document.getText());
          seen.push(await readFile(file, 'utf8'));
          return button;
        },
        async ([button = '']) => {
          seen.push(await readFile(file, 'utf8'));
          return button;
        },
      ],
    });
    match(messages.join(), /Put 1 file back as before the session\?.*Put 1 file back\./);
    deepStrictEqual([...new Set(sides)].sort(), ['iron\n', 'wood\n']);
    deepStrictEqual([...seen, await readFile(file, 'utf8')], ['iron\n', 'wood\n', 'iron\n']);
    await writeFile(file, 'stone\n');
    const refused = await command('putBackFiles', [plan, { path: 'door.txt', to: 'before' }]);
    match(refused.messages.join(), /door\.txt was changed after the session/);
    strictEqual(await readFile(file, 'utf8'), 'stone\n');
    await command('dismissPhase', [plan], { confirm: true });
  });

  it('say so if there is nothing to act on', async () => {
    const { messages } = await command('stopPlan', []);
    deepStrictEqual(messages, ['Nothing is running.']);
    deepStrictEqual((await command('openDeadLetter', [])).messages, ['All messages were delivered.']);
    deepStrictEqual((await command('reviveActor', [])).messages, ['All plans and experts accept messages.']);
    deepStrictEqual((await command('resumeRun', [])).messages, ['No run is paused.']);
  });

  it('show that a message file no longer exists', async () => {
    await command('openDeadLetter', ['dead-letter:01HZY0000000000000000000S1']);
    match(textOf('ravel-dead-letter') ?? '', /This message is gone/);
  });

  it('verify the vault', async () => {
    const { messages } = await command('verifyVault', []);
    match(messages.join(), /plans checked/);
  });

  it('read everything again on request', async () => {
    await command('refreshViews', []);
    strictEqual(ui.model.stage, 'ready');
  });

  it('reveal, sort and filter plans without an error', async () => {
    const { plan } = await makePlan();
    await command('filterPlans', [], { pick: 'by a text', input: 'nothing is called so' });
    await command('revealPlan', [plan]);
    await command('sortPlansByAttention', []);
    await command('sortPlansByName', []);
    await command('filterPlans', [], { pick: 'that are running' });
    await command('clearPlanFilter', []);
  });
});
