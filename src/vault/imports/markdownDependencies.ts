import type { Task } from '../../model/backlog.ts';

/** Ids by what names a task to the letter; null where two tasks share it. */
export type TitleIndex = ReadonlyMap<string, string | null>;

export function titleIndex(tasks: readonly { readonly id: string; readonly title: string }[]): TitleIndex {
  const index = new Map<string, string | null>();
  for (const { id, title } of tasks) {
    const name = plain(title);
    index.set(name, index.has(name) ? null : id);
  }
  // An id is unique, and means its own task even where another one is titled like it.
  for (const { id } of tasks) index.set(id, id);
  return index;
}

/** How many commas a title may hold and still be found. */
const piecesMax = 12;

/**
 * Splits a list of dependencies, in which a title may hold commas of its own, into the tasks that it names to the letter
 * and the rest, which people wrote for people.
 */
export function resolveDependencies(
  text: string,
  self: string,
  index: TitleIndex,
): { readonly linked: string[]; readonly note: string } {
  if (/^(?:none|n\/a|[-—–])?\.?$/i.test(plain(text))) return { linked: [], note: '' };
  const pieces = text.split(',');
  const linked = new Set<string>();
  const rest: string[][] = [];
  let isApart = true;
  for (let at = 0; at < pieces.length; ) {
    const found = longestTitle(pieces, at, index);
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

function longestTitle(
  pieces: readonly string[],
  start: number,
  index: TitleIndex,
): { readonly id: string; readonly end: number } | undefined {
  for (let end = Math.min(pieces.length, start + piecesMax); end > start; end--) {
    const id = index.get(plain(pieces.slice(start, end).join(',')));
    if (typeof id === 'string') return { id, end };
  }
  return undefined;
}

/** A task and one of those that it depends on. */
export interface DependencyLink {
  readonly id: string;
  readonly dependency: string;
}

/** The links without which no circle is left. Linear, and flat for long chains. */
export function closingLinks(tasks: readonly Pick<Task, 'id' | 'dependencies'>[]): DependencyLink[] {
  const dependencies = new Map(tasks.map((task) => [task.id, task.dependencies ?? []]));
  const states = new Map<string, 'open' | 'done'>();
  const closing: DependencyLink[] = [];
  for (const { id: start } of tasks) {
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
  return text.replaceAll('`', '').replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}
