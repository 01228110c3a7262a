import { join } from 'node:path';
import type { Diagnostic } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { type DeclaredExpert, type Experts, loadExperts } from '../vault/expertStore.ts';
import type { ReadingPorts } from '../vault/vaultPorts.ts';

/** What changed between two looks at the declarations. */
export interface ExpertChanges {
  readonly removed: readonly QualifiedId[];
  /** What is worth telling: a version that is kept, a file that was probably renamed. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The experts of a vault as their files declare them at each look. An edit that is not valid leaves the last valid
 * version in force. After a start there is none: then only what the file says counts.
 */
export class ExpertRegistry {
  readonly #ports: ReadingPorts;
  readonly #onChanges: (changes: ExpertChanges) => void;
  readonly #looks = new SerialQueue();
  #present: ReadonlyMap<QualifiedId, DeclaredExpert> | undefined;
  /** The last valid version of each, also of those that are gone: what they were asked before is still answered. */
  readonly #last = new Map<QualifiedId, DeclaredExpert>();

  constructor(ports: ReadingPorts, onChanges: (changes: ExpertChanges) => void = () => undefined) {
    this.#ports = ports;
    this.#onChanges = onChanges;
  }

  /** All that can be asked now, sorted by id, and what is wrong with the files. */
  current(): Promise<Experts> {
    return this.#looks.run(() => this.#look());
  }

  /** Undefined if it takes no questions. */
  async find(actor: QualifiedId): Promise<DeclaredExpert | undefined> {
    return (await this.current()).experts.find((one) => one.actor === actor);
  }

  /** As it is declared now, or was before it was removed. */
  async lastOf(actor: QualifiedId): Promise<DeclaredExpert | undefined> {
    return (await this.find(actor)) ?? this.#last.get(actor);
  }

  async #look(): Promise<Experts> {
    const { disk, layout } = this.#ports;
    const loaded = await loadExperts(disk, layout);
    const { kept, experts } = withLastValid(this.#present, loaded, (actor) => fileOf(layout.experts, actor));
    const present = new Map(experts.map((one) => [one.actor, one]));
    const before = this.#present;
    this.#present = present;
    for (const one of experts) this.#last.set(one.actor, one);
    const diagnostics = kept.map(describeKept);
    if (before !== undefined) this.#tell(before, present);
    return { experts, diagnostics: [...loaded.diagnostics, ...diagnostics] };
  }

  #tell(before: ReadonlyMap<QualifiedId, DeclaredExpert>, now: ReadonlyMap<QualifiedId, DeclaredExpert>): void {
    const removed = [...before.values()].filter(({ actor }) => !now.has(actor));
    const added = [...now.values()].filter(({ actor }) => !before.has(actor));
    const renames = removed.flatMap((old) => {
      const same = added.find((one) => describes(one) === describes(old));
      return same === undefined ? [] : [describeRename(old, same)];
    });
    if (removed.length > 0) this.#onChanges({ removed: removed.map(({ actor }) => actor), diagnostics: renames });
  }
}

/** The valid declarations, and in the place of one that has become invalid the version before. */
function withLastValid(
  before: ReadonlyMap<QualifiedId, DeclaredExpert> | undefined,
  { experts, diagnostics }: Experts,
  file: (actor: QualifiedId) => string,
): { readonly experts: readonly DeclaredExpert[]; readonly kept: readonly DeclaredExpert[] } {
  const valid = new Set(experts.map(({ actor }) => actor));
  const faulty = new Set(diagnostics.filter(({ severity }) => severity === 'error').flatMap(placesOf));
  const kept = [...(before?.values() ?? [])].filter(
    ({ actor }) => !valid.has(actor) && (faulty.has(actor) || faulty.has(file(actor))),
  );
  const all = [...experts, ...kept].sort((a, b) => (a.actor < b.actor ? -1 : 1));
  return { experts: all, kept };
}

function placesOf({ subject, file }: Diagnostic): string[] {
  return file === undefined ? [subject] : [subject, file];
}

function fileOf(folder: string, actor: QualifiedId): string {
  return join(folder, `${actor.slice('expert:'.length)}.md`);
}

function describeKept({ actor, file }: DeclaredExpert): Diagnostic {
  const message = `${file} has a fault; ${actor} answers as its last valid version says.`;
  return diagnostic('expert/earlierVersion', actor, message, { severity: 'warning', file });
}

function describeRename(old: DeclaredExpert, same: DeclaredExpert): Diagnostic {
  const message = `${old.actor} is now ${same.actor}: messages and rules that name ${old.actor} are refused.`;
  return diagnostic('expert/renamed', same.actor, message, { severity: 'warning', file: same.file });
}

/** What stays of a declaration when its file gets another name. */
function describes({ expert: { 'expert-id': _id, ...rest }, body }: DeclaredExpert): string {
  return JSON.stringify([rest, body]);
}
