import type { Task } from './backlog.ts';

/** A task whose description names tasks that are not among its dependencies. */
export interface DependencyDrift {
  readonly id: string;
  /** Ids of other tasks in the description, sorted. */
  readonly mentioned: readonly string[];
  readonly dependencies: readonly string[];
  /** Those that are mentioned and no dependencies, sorted. */
  readonly missing: readonly string[];
}

/** A mention is a hint, not a proof: the reader decides whether the task must wait for the other. */
export function dependencyDrifts(tasks: readonly Task[]): DependencyDrift[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const unusual = [...ids].filter((id) => !wholeWord.test(id));
  return tasks.flatMap((task) => {
    const text = task.description ?? '';
    const words = text.match(/[A-Za-z0-9_-]+/g) ?? [];
    const found = new Set([...words.filter((word) => ids.has(word)), ...unusual.filter((id) => standsIn(text, id))]);
    found.delete(task.id);
    const dependencies = task.dependencies ?? [];
    const mentioned = [...found].sort();
    const missing = mentioned.filter((id) => !dependencies.includes(id));
    return missing.length === 0 ? [] : [{ id: task.id, mentioned, dependencies, missing }];
  });
}

const wholeWord = /^[A-Za-z0-9_-]+$/;
const wordCharacter = /[A-Za-z0-9_-]/;

/** For ids that are more than one word, as an imported plan can have them. */
function standsIn(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + id.length] ?? ' '];
    if (around.every((character) => !wordCharacter.test(character))) return true;
  }
  return false;
}
