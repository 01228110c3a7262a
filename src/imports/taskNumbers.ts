/** What a text says about tasks by their numbers. */
export interface NumberedTasks {
  readonly ids: readonly string[];
  /** Names of tasks that are not there, or of which there are two. */
  readonly missing: readonly string[];
  /** Whether more stands there than numbers. */
  readonly hasRemark: boolean;
  /** What a bare number that follows in a list is a number of. */
  readonly word: string;
}

/** A longer range names no tasks of a backlog. */
const rangeMax = 1000;

/** The numbers that the titles of tasks begin with: `Task 3 — Print`, `Step 2: Print`, `4. Print`. */
export class TaskNumbers {
  /** Ids by `task 3`; null if two tasks share it. */
  readonly #ids = new Map<string, string | null>();

  constructor(tasks: readonly { readonly id: string; readonly title: string }[]) {
    for (const { id, title } of tasks) {
      const key = keyOfTitle(title);
      if (key !== undefined) this.#ids.set(key, this.#ids.has(key) ? null : id);
    }
  }

  /**
   * Reads `Task 3`, `tasks 5–13`, `Task 1 (deps) and Task 2`, and bare numbers, which are numbers of `word`. Undefined
   * if the text is about something else. The task `self` is not among those that a range names.
   */
  read(text: string, self: string, word: string): NumberedTasks | undefined {
    if (this.#ids.size === 0 || !/\d/.test(text)) return undefined;
    const ids: string[] = [];
    const missing: string[] = [];
    let [at, of, hasRemark] = [matchAt(leadingJoint, text, 0)?.end ?? 0, word, false];
    for (;;) {
      const first = matchAt(reference, text, at);
      if (first === undefined) return undefined;
      const [written = '', number = ''] = first.groups;
      of = written === '' ? of : singular(written);
      const range = matchAt(rangeEnd, text, first.end);
      this.#add({ of, from: number, to: range?.groups[0] }, self, { ids, missing });
      const remark = matchAt(brackets, text, range?.end ?? first.end);
      hasRemark ||= remark !== undefined;
      at = remark?.end ?? range?.end ?? first.end;
      const joint = matchAt(jointBetween, text, at);
      if (joint === undefined) break;
      at = joint.end;
    }
    const rest = text.slice(at).trim();
    if (!tail.test(rest)) return undefined;
    return { ids, missing, hasRemark: hasRemark || rest !== '', word: of };
  }

  #add(
    { of, from, to }: NumberRange,
    self: string,
    into: { readonly ids: string[]; readonly missing: string[] },
  ): void {
    const [low, high] = [Number(from), Number(to ?? from)];
    if (to !== undefined && !(low < high && high - low <= rangeMax)) {
      into.missing.push(nameOf(of, `${from}–${to}`));
      return;
    }
    const numbers = to === undefined ? [from] : Array.from({ length: high - low + 1 }, (_, n) => `${low + n}`);
    for (const number of numbers) {
      const id = this.#find(of, number);
      if (id === undefined || (id === self && to === undefined)) into.missing.push(nameOf(of, number));
      else if (id !== self) into.ids.push(id);
    }
  }

  /** A task without a word before its number, in its title or in the list, is a task. */
  #find(of: string, number: string): string | undefined {
    const words = of === '' || of === task ? [task, ''] : [of];
    for (const word of words) {
      const id = this.#ids.get(keyOf(word, number));
      if (id !== undefined) return id ?? undefined;
    }
    return undefined;
  }
}

interface NumberRange {
  readonly of: string;
  readonly from: string;
  readonly to: string | undefined;
}

const task = 'task';
const reference = /(?:([a-z]{1,20})\s+)?#?(\d{1,6}(?:\.\d{1,4}){0,3}[a-z]?)(?!\w)/iy;
const rangeEnd = /\s*(?:[-–—]|to\s|through\s)\s*(?:[a-z]{1,20}\s+)?#?(\d{1,6})(?![\w.]*\w)/iy;
const brackets = /\s*\([^()]*\)/y;
const leadingJoint = /\s*(?:(?:and\s|&|\+)\s*)?/iy;
const jointBetween = /\s*(?:and\s|&|\+)\s*/iy;
/** The text that can follow the numbers; before any other, such as `of the other plan`, the numbers are not ours. */
const tail =
  /^(?:[.:—–-].*|(?:is|are|has|have|must|should|all|both|first|done|completed?|finished|landed|merged|ready)\b.*)?$/is;

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { end: pattern.lastIndex, groups: match.slice(1) };
}

/** A number alone may be part of a sentence, so it has to be set apart from what follows it. */
function keyOfTitle(title: string): string | undefined {
  if (!/\d/.test(title)) return undefined;
  const match = /^(?:([a-z]{1,20})\s+)?(#?)(\d{1,6}(?:\.\d{1,4}){0,3}[a-z]?)(?!\w)/i.exec(title);
  if (match === null) return undefined;
  const [all, written = '', hash, number = ''] = match;
  const word = singular(written);
  const isApart = /^(?:\s*[:.)(—–]|\s+-\s|$)/.test(title.slice(all.length));
  return isApart || word === task || hash === '#' ? keyOf(word, number) : undefined;
}

function keyOf(word: string, number: string): string {
  return `${word} ${number.toLowerCase().replace(/^0+(?=\d)/, '')}`;
}

function nameOf(word: string, number: string): string {
  return `${word === '' ? 'Task' : `${word.charAt(0).toUpperCase()}${word.slice(1)}`} ${number}`;
}

function singular(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 1 && lower.endsWith('s') ? lower.slice(0, -1) : lower;
}
