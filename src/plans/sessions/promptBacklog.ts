import { oneLine, plural } from '../../base/text.ts';
import { type Backlog, backlogSchema, type Task } from '../../model/backlog.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import { planFiles } from '../../model/plan.ts';
import { foreign, ownWords, type PromptText } from '../../model/promptText.ts';
import type { Settings } from '../../model/settings.ts';
import { formatYaml, readYaml } from '../../yaml/yaml.ts';

/**
 * The part of a backlog that a session is given: all of it if that fits the budget or the settings want it; else its
 * task with what that depends on and what depends on it, and the titles of the other tasks. A triage has no task: it is
 * given what was begun, then what comes next. A backlog that cannot be read is given as it is.
 */
export function promptBacklog(
  text: string | undefined,
  { phase, task }: { readonly phase: ReasoningPhase; readonly task: string | undefined },
  settings: Pick<Settings['memory'], 'given' | 'budget-kb'>,
): PromptText {
  const bytesMax = settings['budget-kb'] * 1000;
  const backlog = text === undefined ? undefined : readBacklog(text);
  const fits = text === undefined || Buffer.byteLength(text) <= bytesMax;
  if (backlog === undefined || fits || settings.given === 'all') {
    return foreign('backlog', text, '(the backlog is missing)');
  }
  const tasks = backlog.tasks ?? [];
  const full = phase === 'triage' ? asFarAsItFits(inOrderOfTriage(tasks), bytesMax / 2) : around(tasks, task);
  const rest = tasks.filter((one) => !full.has(one));
  const titles = asFarAsItFits(rest, bytesMax / 2, titleOf);
  const left = rest.length - titles.size;
  const { received: _received, ...others } = backlog;
  const shown = formatYaml({
    tasks: tasks.filter((one) => full.has(one)),
    ...(phase === 'triage' &&
      others.dispatched != null && { dispatched: newestFitting(others.dispatched, bytesMax / 2) }),
  });
  const why = phase === 'triage' ? 'what was begun, and what comes next' : 'the task, and those that it is tied to';
  return [
    ...ownWords(`The backlog has ${plural(tasks.length, 'task')}. In full, ${why}:`),
    ...foreign('backlog', shown),
    ...(titles.size === 0
      ? []
      : [
          ...ownWords(`The titles of ${titles.size} more; \`backlog_show\` gives a task whole, by its id:`),
          ...foreign('titles', [...titles].map(titleOf).join('')),
        ]),
    ...(left === 0 ? [] : ownWords(`${plural(left, 'more task')}: \`backlog_list\` lists all of them.`)),
  ];
}

function readBacklog(text: string): Backlog | undefined {
  return readYaml(backlogSchema, text, { file: planFiles.backlog, subject: '' }).value;
}

function titleOf({ id, status, title }: Task): string {
  return `- ${id} (${status}): ${oneLine(title)}\n`;
}

/** A task, those it depends on, and those that depend on it. */
function around(tasks: readonly Task[], id: string | undefined): ReadonlySet<Task> {
  const task = tasks.find((one) => one.id === id);
  if (task === undefined) return new Set();
  const needed = new Set(task.dependencies ?? []);
  return new Set(
    tasks.filter((one) => one === task || needed.has(one.id) || (one.dependencies ?? []).includes(task.id)),
  );
}

function inOrderOfTriage(tasks: readonly Task[]): readonly Task[] {
  const isBegun = ({ status, handoff }: Task) => status !== 'not_started' || handoff != null;
  return [...tasks.filter(isBegun), ...tasks.filter((one) => !isBegun(one))];
}

function asFarAsItFits(
  tasks: readonly Task[],
  bytesMax: number,
  format: (task: Task) => string = (task) => formatYaml([task]),
): ReadonlySet<Task> {
  const taken = new Set<Task>();
  let bytes = 0;
  for (const task of tasks) {
    const size = Buffer.byteLength(format(task));
    if (bytes + size > bytesMax) continue;
    taken.add(task);
    bytes += size;
  }
  return taken;
}

function newestFitting<T>(records: readonly T[], bytesMax: number): readonly T[] {
  const taken: T[] = [];
  let bytes = 0;
  for (const record of records.toReversed()) {
    bytes += Buffer.byteLength(formatYaml([record]));
    if (bytes > bytesMax) break;
    taken.push(record);
  }
  return taken.reverse();
}
