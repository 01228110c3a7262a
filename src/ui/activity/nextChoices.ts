import { describeNext, type NextTask } from '../../model/nextTasks.ts';
import type { RequestParams } from '../../model/protocol.ts';
import type { Choice } from '../choice.ts';
import { plainChoice } from '../sanitizeLabel.ts';

/** The tasks in their order, each with its plan and why it stands there. */
export function nextChoices(tasks: readonly NextTask[]): Choice<NextTask>[] {
  return tasks.map((task) => ({
    label: plainChoice(task.title),
    description: plainChoice(task.plan),
    detail: describeNext(task).join(', '),
    value: task,
  }));
}

/** A task can be named only for the work that comes first; the rest of an earlier cycle has its own. */
export function optionsFor({ phase, id }: NextTask): Omit<RequestParams<'run_cycle'>, 'plan'> {
  return phase === 'work' ? { task: id } : {};
}
