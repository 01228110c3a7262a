import { defined } from '../../base/defined.ts';
import { isRavelError, type RavelError } from '../../base/errors.ts';
import { beginning } from '../../base/text.ts';
import { canGraduate } from '../../knowledge/entries/graduate.ts';
import type { KnowledgeBase } from '../../knowledge/entries/knowledgeBase.ts';
import { countContradicting, scorePromotion } from '../../knowledge/entries/promotion.ts';
import { usedNamesOf } from '../../knowledge/uses/usedNames.ts';
import type { UseJournal } from '../../knowledge/uses/useJournal.ts';
import { failure } from '../../model/codes.ts';
import { entryTitleLengthMax, uncategorizedFolder } from '../../model/entry.ts';
import { evidenceProblem } from '../../model/evidence.ts';
import type { QualifiedId } from '../../model/id.ts';
import { candidateId, type ExpertPosition, type Ingestion, type IngestionCandidate } from '../../model/ingestion.ts';
import { entryPathInVault, type KnowledgeEntry } from '../../vault/entryFile.ts';
import { foldersOfScope } from '../../vault/expertStore.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { ExpertRegistry } from '../expertRegistry.ts';
import type { IngestionSteps } from './ingestionSteps.ts';
import { loadPriorKnowledge, type PriorKnowledgeParts, repeatsPrior } from './priorKnowledge.ts';
import { addedAs, twinOf, wordForWord } from './twins.ts';

export interface EntryIntakeParts extends PriorKnowledgeParts {
  readonly steps: IngestionSteps;
  readonly knowledge: () => Promise<KnowledgeBase>;
  readonly registry: Pick<ExpertRegistry, 'find'>;
  readonly uses: Pick<UseJournal, 'record'>;
  /** Throws `plan/unknown`. */
  readonly find: (plan: string) => Promise<PlanLocation>;
  readonly signal: AbortSignal;
}

/** Characters of the claims that an origin quotes. */
const contextLengthMax = 300;

/** What taking a candidate in does to the entries. Each effect can be told from its entry, so it happens once. */
export class EntryIntake {
  readonly #parts: EntryIntakeParts;
  readonly #steps: IngestionSteps;

  constructor(parts: EntryIntakeParts) {
    this.#parts = parts;
    this.#steps = parts.steps;
  }

  /** Adds it where the first of these experts keeps what it knows, beside what it contradicts. */
  async absorb(record: Ingestion, at: number, absorbs: readonly ExpertPosition[]): Promise<Ingestion> {
    const [first] = absorbs;
    const declared = first === undefined ? undefined : await this.#parts.registry.find(first.expert);
    const [scope = ''] = declared?.expert['knowledge-scope'] ?? [];
    const folder = foldersOfScope(scope).join('/') || record.candidates[at]?.folder || uncategorizedFolder;
    const by = absorbs.map(({ expert }) => expert.slice('expert:'.length)).join(', ');
    const contradicted = [...new Set(absorbs.flatMap(({ contradicts }) => contradicts))];
    const outcome = absorbs.map(({ expert, reason }) => `${expert}: ${reason}`).join(' ');
    return this.add(record, at, { folder, outcome, contradicted, ...defined({ by: by === '' ? undefined : by }) });
  }

  /** Adds it as a staged entry, unless an entry says the same by now. */
  async add(
    record: Ingestion,
    at: number,
    how: {
      readonly folder: string;
      readonly outcome: string;
      readonly by?: string;
      readonly contradicted?: readonly string[];
    },
  ): Promise<Ingestion> {
    const candidate = record.candidates[at];
    if (candidate === undefined) return record;
    const knowledge = await this.#parts.knowledge();
    const id = candidateId(record.id, at);
    const known = await knowledge.survey(this.#parts.signal);
    let became = addedAs(known, id);
    // Since it was compared, another plan or a person can have put the same into an entry.
    const twin = became === undefined ? await twinOf(knowledge, candidate, known) : undefined;
    if (twin !== undefined) return this.confirm(record, at, twin, wordForWord);
    try {
      became ??= await this.#addNew(record, candidate, { ...how, id });
    } catch (error) {
      // What a check refuses is refused tomorrow, too; a full disk is not.
      if (!isRefused(error) && !(isRavelError(error) && error.code.startsWith('entry/'))) throw error;
      return this.#steps.settle(record, at, { state: 'refused', outcome: error.diagnostic.message });
    }
    let now = record;
    for (const other of how.contradicted ?? []) {
      try {
        await knowledge.contradict(became, other, 'An expert found that they contradict each other.');
      } catch (error) {
        // Linked before a crash, or gone meanwhile.
        if (!isRavelError(error, 'entry/alreadyLinked') && !isRavelError(error, 'entry/unknown')) throw error;
      }
      now = await this.#askToSupersede(now, at, { older: other, newer: became });
    }
    return this.#steps.settle(now, at, { state: 'added', outcome: how.outcome, became });
  }

  async #addNew(
    { plan }: Ingestion,
    { title, body, tags, kind, claims }: IngestionCandidate,
    { id, by, folder }: { readonly id: string; readonly by?: string; readonly folder: string },
  ): Promise<string> {
    const knowledge = await this.#parts.knowledge();
    const { project } = await this.#parts.find(plan);
    const date = this.#steps.now().slice(0, 10);
    const entry = {
      ...{ body, tags, kind, folder, confidence: 'medium' as const, given: [], source: plan },
      origins: [{ project, date, context: contextOf(plan, claims, id) }],
      ingested: { id, at: this.#steps.now(), ...defined({ by }) },
    };
    for (const name of [title, named(title, project), named(title, id)]) {
      try {
        await knowledge.add({ ...entry, title: name });
        break;
      } catch (error) {
        // Another statement has this title.
        if (!isRavelError(error, 'entry/exists')) throw error;
      }
    }
    const became = addedAs(await knowledge.survey(this.#parts.signal), id);
    if (became !== undefined) return became;
    throw failure('entry/exists', title, `Other entries have the title "${title}" and the names made of it.`);
  }

  /** The project of the plan becomes one more in which an entry holds; what the plan had been told proves nothing. */
  async confirm(record: Ingestion, at: number, path: string, outcome: string): Promise<Ingestion> {
    const candidate = record.candidates[at];
    if (candidate === undefined) return record;
    const knowledge = await this.#parts.knowledge();
    const { project } = await this.#parts.find(record.plan);
    const entry = await this.#loadNamed(path);
    if (entry === undefined) {
      return this.#steps.wait(record, at, {}, 'The entry that says what a plan learned is gone', path);
    }
    const { entries: told } = await loadPriorKnowledge(this.#parts, record.plan, candidate);
    if (told.has(entryPathInVault(entry)) || told.has(entry.fields.id ?? '')) {
      return this.#steps.settle(record, at, { state: 'known', outcome: repeatsPrior, became: path });
    }
    const id = candidateId(record.id, at);
    const context = contextOf(record.plan, candidate.claims, id);
    // A plan that proves it in each cycle is one origin; one that was noted before a crash is there, too.
    const isNoted = entry.fields.origins.some(
      (origin) => origin.context?.startsWith(`${provenBy(record.plan)}:`) === true,
    );
    try {
      if (!isNoted) await knowledge.validate(path, { project, context });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return this.#steps.settle(record, at, { state: 'refused', outcome: error.diagnostic.message });
    }
    const [name] = usedNamesOf(entry);
    await this.#parts.uses.record({ use: id, kind: 'confirmed', entries: [name], at: this.#steps.now(), project });
    const asked = await this.#askToGraduate(record, at, path);
    return this.#steps.settle(asked, at, { state: 'confirmed', outcome, became: path });
  }

  /** Undefined for one that was deleted, archived or broken since it was compared. */
  async #loadNamed(path: string): Promise<KnowledgeEntry | undefined> {
    try {
      const entry = await (await this.#parts.knowledge()).load(path);
      return entry.isArchived ? undefined : entry;
    } catch (error) {
      if (!isRavelError(error) || !error.code.startsWith('entry/')) throw error;
      return undefined;
    }
  }

  async #askToGraduate(record: Ingestion, at: number, path: string): Promise<Ingestion> {
    const knowledge = await this.#parts.knowledge();
    const known = await knowledge.survey();
    const entry = await knowledge.load(path, known);
    const contradicting = countContradicting(entry, known);
    if (!canGraduate(entry, contradicting)) return record;
    const { breakdown } = scorePromotion(entry, contradicting);
    const details = { path, title: entry.fields.title, text: entry.text, hash: entry.hash, breakdown };
    return this.#steps.ask(
      record,
      at,
      { kind: 'entry-graduation', subject: `Graduate ${entry.fields.title}`, details },
      path,
    );
  }

  async #askToSupersede(
    record: Ingestion,
    at: number,
    { older, newer }: { readonly older: string; readonly newer: string },
  ): Promise<Ingestion> {
    const knowledge = await this.#parts.knowledge();
    const sides = await Promise.all([knowledge.load(older), knowledge.load(newer)]).catch(() => undefined);
    if (sides === undefined) return record;
    const [old, young] = sides;
    // Weaker evidence takes no entry's place; both stand, linked.
    if (evidenceProblem(young.fields, old.fields) !== undefined) return record;
    const details = { older, newer, olderText: old.text, newerText: young.text };
    const subject = `${young.fields.title} contradicts ${old.fields.title}`;
    return this.#steps.ask(record, at, { kind: 'contradicting-entries', subject, details }, older);
  }
}

/** By the write gate. */
function isRefused(error: unknown): error is RavelError {
  return isRavelError(error) && error.code.startsWith('write/');
}

/** Ends in the id of the candidate, which leads to its record. */
function contextOf(plan: QualifiedId, claims: readonly string[], id: string): string {
  return `${provenBy(plan)}: ${beginning(claims.join(' '), contextLengthMax)} (${id})`;
}

/** The title with a name behind it, no longer than a title can be. */
function named(title: string, name: string): string {
  const end = ` (${name})`;
  return beginning(title, entryTitleLengthMax - end.length) + end;
}

function provenBy(plan: QualifiedId): string {
  return `Proven by ${plan}`;
}
