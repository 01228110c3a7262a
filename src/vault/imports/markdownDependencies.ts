import { oneLine } from '../../base/text.ts';
import type { Task } from '../../model/backlog.ts';

/** How many commas a title may hold and still be found. */
const piecesMax = 12;

/** Runs of pieces that are looked up for all tasks of a text together: a list of a million commas names no tasks. */
const looksMax = 50_000;

/** What the tasks of one text are called, for the lists of dependencies in it. */
export class DependencyTitles {
  /** Ids by what names a task to the letter; null where two tasks share it. */
  readonly #index = new Map<string, string | null>();
  #looks = 0;

  constructor(tasks: readonly { readonly id: string; readonly title: string }[]) {
    for (const { id, title } of tasks) {
      const name = plain(title);
      this.#index.set(name, this.#index.has(name) ? null : id);
    }
    // An id is unique, and means its own task even where another one is titled like it.
    for (const { id } of tasks) this.#index.set(id, id);
  }

  /** Whether some pieces were not looked up any more. */
  get isExhausted(): boolean {
    return this.#looks > looksMax;
  }

  /**
   * Splits a list of dependencies, in which a title may hold commas of its own, into the tasks that it names to the letter
   * and the rest, which people wrote for people.
   */
  resolve(text: string, self: string): { readonly linked: string[]; readonly note: string } {
    if (text === '') return { linked: [], note: '' };
    if (/^(?:none|n\/a|[-—–])?\.?$/i.test(plain(text))) return { linked: [], note: '' };
    const pieces = text.split(',');
    const linked = new Set<string>();
    const rest: string[][] = [];
    let isApart = true;
    for (let at = 0; at < pieces.length; ) {
      const found = this.#longestTitle(pieces, at);
      if (found !== undefined && found.id !== self) {
        linked.add(found.id);
        at = found.end;
        isApart = true;
        continue;
      }
      if (isApart) rest.push([]);
      rest.at(-1)?.push(pieces[at] ?? '');
      isApart = false;
      at++;
    }
    const note = rest.map((run) => run.join(',').trim()).filter((run) => run !== '');
    return { linked: [...linked], note: note.join('; ') };
  }

  #longestTitle(pieces: readonly string[], start: number): { readonly id: string; readonly end: number } | undefined {
    for (let end = Math.min(pieces.length, start + piecesMax); end > start; end--) {
      this.#looks += 1;
      if (this.isExhausted) return undefined;
      const id = this.#index.get(plain(pieces.slice(start, end).join(',')));
      if (typeof id === 'string') return { id, end };
    }
    return undefined;
  }
}

/** A task and one of those that it depends on. */
export interface DependencyLink {
  readonly id: string;
  readonly dependency: string;
}

/** The links without which no circle is left. Linear, and flat for long chains. */
export function closingLinks(tasks: readonly Pick<Task, 'id' | 'dependencies'>[]): DependencyLink[] {
  const dependencies = new Map<string, readonly string[]>();
  for (const task of tasks) if (task.dependencies?.length) dependencies.set(task.id, task.dependencies);
  const states = new Map<string, 'open' | 'done'>();
  const closing: DependencyLink[] = [];
  for (const start of dependencies.keys()) {
    if (states.has(start)) continue;
    const stack = [{ id: start, next: 0 }];
    states.set(start, 'open');
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const { id } = frame;
      const dependency = dependencies.get(id)?.[frame.next];
      frame.next++;
      if (dependency === undefined) {
        states.set(id, 'done');
        stack.pop();
      } else if (states.get(dependency) === 'open') {
        closing.push({ id, dependency });
      } else if (!states.has(dependency)) {
        states.set(dependency, 'open');
        stack.push({ id: dependency, next: 0 });
      }
    }
  }
  return closing;
}

/** Without what is only markup: backquotes, line breaks, a full stop. */
function plain(text: string): string {
  const line = oneLine(text.includes('`') ? text.replaceAll('`', '') : text);
  return line.endsWith('.') ? line.slice(0, -1) : line;
}
