/** What a person chose for the next run; empty if it is as set. */
export interface RunOptions {
  readonly task: string;
  readonly cycles: number;
}

export const noRunOptions: RunOptions = { task: '', cycles: 1 };

export interface ReadyTask {
  readonly id: string;
  readonly title: string;
}

/** The tasks that a work phase could take, of the result of `backlog list`. */
export function selectableTasks(result: unknown): readonly ReadyTask[] {
  const tasks = typeof result === 'object' && result !== null && 'tasks' in result ? result.tasks : [];
  if (!Array.isArray(tasks)) return [];
  return tasks.filter((task): task is ReadyTask => typeof task?.id === 'string' && typeof task?.title === 'string');
}
