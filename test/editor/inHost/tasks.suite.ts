import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { QualifiedId } from '../../../src/model/id.ts';
import { reasoningPhases } from '../../../src/model/phase.ts';
import type { UiContext } from '../../../src/ui/uiContext.ts';
import { requireLink } from '../../../src/ui/vaultLink.ts';
import { readContext } from './readContext.ts';

const finish = { finish: { outcome: 'done', summary: 'Learned.' } };

describe('the tasks of the editor', () => {
  let ui: UiContext;
  let folder: string;

  before(async () => {
    ui = await readContext();
    folder = await mkdtemp(join(tmpdir(), 'ravel-suite-'));
  });

  after(() => rm(folder, { recursive: true }));

  const offered = () => vscode.tasks.fetchTasks({ type: 'ravel' });

  /** Runs a task to its end; gives the exit code of its program. */
  async function run(task: vscode.Task): Promise<number | undefined> {
    const ended = new Promise<number | undefined>((resolve) => {
      const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (execution.task.name !== task.name) return;
        listening.dispose();
        resolve(exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    return ended;
  }

  it('are offered: what is next, and a cycle of each plan that is ready', async () => {
    const tasks = await offered();
    const [next, ...others] = tasks;
    strictEqual(next?.name, 'run next');
    strictEqual(next.source, 'ravel');
    const ready = [...ui.model.outline.nodes.values()].filter(({ row }) => (row?.counts.ready ?? 0) > 0);
    ok(ready.length > 0);
    deepStrictEqual(new Set(others.map(({ name }) => name)), new Set(ready.map(({ plan }) => `run cycle of ${plan}`)));
  });

  it('run what tasks.json asks for, and end with the run', async () => {
    const scenario = join(folder, 'scenario.yaml');
    const phases = Object.fromEntries(reasoningPhases.map((one) => [one, [finish]]));
    await writeFile(scenario, JSON.stringify({ version: 1, phases }));
    const plan = String((await offered())[1]?.definition['plan']);
    const settings = vscode.workspace.getConfiguration('tasks');
    const asked = { label: 'scripted', type: 'ravel', run: 'cycles', plan, harness: 'scripted', scenario };
    await settings.update('version', '2.0.0', vscode.ConfigurationTarget.Workspace);
    await settings.update('tasks', [asked], vscode.ConfigurationTarget.Workspace);
    const task = (await offered()).find(({ name }) => name === 'scripted');
    if (task === undefined) throw new Error('tasks.json is not resolved.');
    const { api } = requireLink(ui);
    const before = await api.request('history', { plan: plan as QualifiedId });
    const code = await run(task);
    strictEqual(code, 0);
    const { cycles } = await api.request('history', { plan: plan as QualifiedId });
    strictEqual(cycles.length, before.cycles.length + 1);
  }).timeout(120_000);

  it('are none in tasks.json if they ask for something else', async () => {
    const settings = vscode.workspace.getConfiguration('tasks');
    const asked = { label: 'odd', type: 'ravel', run: 'cycles', plan: '--vault' };
    await settings.update('tasks', [asked], vscode.ConfigurationTarget.Workspace);
    const odd = (await offered()).find(({ name }) => name === 'odd');
    strictEqual(odd?.execution, undefined);
    await settings.update('tasks', undefined, vscode.ConfigurationTarget.Workspace);
  });
});
