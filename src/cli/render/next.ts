import { formatCount, plural } from '../../base/text.ts';
import { describeNext } from '../../model/nextTasks.ts';
import type { RequestResults } from '../../model/protocol.ts';
import { type LeftOutReason, leftOutReasons } from '../../model/requests/next.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';

/** The tasks in their order, then what is left out of the list. With `keepsRows`, for programs, a task is one whole line. */
export function formatNext(
  next: RequestResults['next'],
  style: Style,
  columns: number,
  { keepsRows = false } = {},
): string[] {
  const { tasks, more, plans, leftOut } = next;
  if (plans === 0) return ['There are no plans yet. Adopt a project with `ravel adopt PROJECT --description TEXT`.'];
  const rows = tasks.map((task) => [task.plan, task.id, task.title, describeNext(task).join(', ')]);
  return [
    ...(rows.length === 0
      ? ['No plan has a task that can be started now. `ravel plan "GOAL" --project NAME` proposes some.']
      : formatTable(['PLAN', 'TASK', 'TITLE', 'WHY'], rows, style, columns, { keepsLast: keepsRows })),
    ...(more > 0 ? [style.faint(`${plural(more, 'further task')} not shown; --limit shows more.`)] : []),
    ...formatLeftOut(leftOut),
  ];
}

const leftOutWords: Readonly<Record<LeftOutReason, string>> = {
  faulted: 'with a fault',
  running: 'running',
  waiting: 'waiting for you',
  paused: 'with a paused run',
};

/** One line, or none if no plan is left out. */
export function formatLeftOut(leftOut: RequestResults['next']['leftOut']): string[] {
  const parts = leftOutReasons.flatMap((reason) =>
    leftOut[reason] === 0 ? [] : [`${formatCount(leftOut[reason])} ${leftOutWords[reason]}`],
  );
  return parts.length === 0 ? [] : [`Plans left out: ${parts.join(', ')}. See \`ravel status\`.`];
}
