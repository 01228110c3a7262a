import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Part, UiContext } from '../uiContext.ts';
import { offeredTasks, taskArguments, taskName, toRunTask } from './runTask.ts';

const type = 'ravel';

/**
 * Runs of the vault as tasks of the editor, for keys, `tasks.json` and other tasks that depend on them. Each is the command
 * line in a terminal: it shows the run live, ends with the exit code of `ravel run`, and stops the run when it is ended.
 * The owner is asked as by any other client, so budgets and queues hold.
 */
export const tasksPart: Part = (ui) =>
  vscode.tasks.registerTaskProvider(type, {
    provideTasks: async () => {
      const tasks = await Promise.all(offeredTasks(readyPlans(ui)).map((one) => createTask(ui, { type, ...one })));
      return tasks.filter((task) => task !== undefined);
    },
    resolveTask: ({ definition }) => createTask(ui, definition),
  });

/** The plans with a task that can be started, those that the person used last first. */
function readyPlans({ model, recentPlans }: UiContext): QualifiedId[] {
  const ready = [...model.outline.nodes.values()].filter(
    ({ row }) => row !== undefined && row.running === undefined && row.counts.ready + row.counts.inProgress > 0,
  );
  return recentPlans.sort(ready, ({ plan }) => plan).map(({ plan }) => plan);
}

/** Undefined in Restricted Mode, without a vault, and for a definition that asks for something else. */
async function createTask(ui: UiContext, definition: vscode.TaskDefinition): Promise<vscode.Task | undefined> {
  const vault = ui.link.value?.vault;
  const asked = toRunTask(definition);
  if (asked === undefined || vault === undefined || !vscode.workspace.isTrusted) return undefined;
  const { program, args, environment } = await ui.machine.commandLine();
  const execution = new vscode.ProcessExecution(
    program,
    [...args, '--vault', vault, ...taskArguments(asked)],
    defined({ env: environment && { ...environment } }),
  );
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, taskName(asked), type, execution, []);
  task.detail =
    asked.run === 'next' ? t('The first task of the vault that can be started') : t('One cycle after the other');
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  return task;
}
