import { type CarriedSums, type EntryUse, type UseSums, useWeights } from './entryUse.ts';

/** Sessions and projects that are remembered of an entry; the rules ask whether there are five. */
const namesMax = 50;
/** Ids of uses that are still recognised. */
const knownMax = 10_000;
/** Schedules and entries whose last days are remembered. */
const scheduledMax = 10_000;

/** What all uses come to. It grows use by use; the same uses in the same order always give the same. */
export class UseFold {
  readonly #sums = new Map<string, UseSums>();
  readonly #known = new Set<string>();
  readonly #scheduled = new Set<string>();

  /** Takes a line of a journal: a use, or the sums of earlier ones. Whether it was a use that counts for the first time. */
  add(line: EntryUse | CarriedSums): boolean {
    if (!isUse(line)) {
      this.#carry(line);
      return false;
    }
    if (this.#known.has(line.use)) return false;
    remember(this.#known, line.use, knownMax);
    for (const entry of new Set(line.entries)) this.#count(entry, line);
    return true;
  }

  has(use: string): boolean {
    return this.#known.has(use);
  }

  /**
   * What the uses of an entry come to, recorded under any of its names: its path, until it was given an id. Undefined for
   * an entry that was never used.
   */
  of(names: readonly string[]): UseSums | undefined {
    const [first, ...others] = [...new Set(names)].flatMap((name) => this.#sums.get(name) ?? []);
    return first === undefined ? undefined : others.reduce(sumOf, first);
  }

  /** Everything in one line, from which a journal can go on. */
  carried(): CarriedSums {
    return { sums: Object.fromEntries(this.#sums), known: [...this.#known], scheduled: [...this.#scheduled] };
  }

  #carry({ sums, known, scheduled }: CarriedSums): void {
    for (const [entry, one] of Object.entries(sums)) this.#sums.set(entry, one);
    for (const use of known) remember(this.#known, use, knownMax);
    for (const name of scheduled) remember(this.#scheduled, name, scheduledMax);
  }

  #count(entry: string, { kind, at, session, project, schedule }: EntryUse): void {
    if (schedule !== undefined) {
      const name = JSON.stringify([schedule, at.slice(0, 10), entry, kind]);
      if (this.#scheduled.has(name)) return;
      remember(this.#scheduled, name, scheduledMax);
    }
    const before = this.#sums.get(entry) ?? unused;
    const weight = useWeights[kind];
    const isCounted = weight > 0;
    this.#sums.set(entry, {
      ...before,
      [kind]: before[kind] + 1,
      weight: before.weight + weight,
      first: isCounted && (before.first === '' || at < before.first) ? at : before.first,
      last: isCounted && at > before.last ? at : before.last,
      sessions: isCounted ? withName(before.sessions, session) : before.sessions,
      projects: isCounted ? withName(before.projects, project) : before.projects,
    });
  }
}

function sumOf(one: UseSums, other: UseSums): UseSums {
  const times = [one.first, other.first, one.last, other.last].filter((at) => at !== '').sort();
  return {
    ...{ ...other, ...one },
    shown: one.shown + other.shown,
    cited: one.cited + other.cited,
    opened: one.opened + other.opened,
    confirmed: one.confirmed + other.confirmed,
    weight: one.weight + other.weight,
    first: times[0] ?? '',
    last: times.at(-1) ?? '',
    sessions: other.sessions.reduce(withName, one.sessions),
    projects: other.projects.reduce(withName, one.projects),
  };
}

const unused: UseSums = {
  ...{ shown: 0, cited: 0, opened: 0, confirmed: 0, weight: 0, first: '', last: '' },
  ...{ sessions: [], projects: [] },
};

function isUse(line: EntryUse | CarriedSums): line is EntryUse {
  return 'use' in line;
}

function withName(names: string[], name: string | undefined): string[] {
  return name === undefined || names.length >= namesMax || names.includes(name) ? names : [...names, name];
}

/** Forgets the oldest where there are more than `max`. */
function remember(names: Set<string>, name: string, max: number): void {
  names.add(name);
  if (names.size <= max) return;
  for (const oldest of names) {
    names.delete(oldest);
    return;
  }
}
