import { formatTimestamp } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { judgeWrite } from '../../gates/writes/writeGates.ts';
import { canGraduate } from '../../knowledge/entries/graduate.ts';
import type { KnowledgeBase, Known } from '../../knowledge/entries/knowledgeBase.ts';
import { classify } from '../../knowledge/likeness/classify.ts';
import type { VaultSearch } from '../../knowledge/search/vaultSearch.ts';
import type { VaultApprovalKind } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { uncategorizedFolder } from '../../model/entry.ts';
import { evidenceProblem } from '../../model/evidence.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import {
  candidateId,
  type ExpertPosition,
  type Ingestion,
  type IngestionCandidate,
  isCandidateSettled,
} from '../../model/ingestion.ts';
import { type MemoryEntry, memoryFingerprint, memorySchema } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import { sessionRecordSchema } from '../../model/session.ts';
import type { Settings } from '../../model/settings.ts';
import type { QuestionPorts } from '../../questions/questionPorts.ts';
import { type DeclaredExpert, foldersOfScope } from '../../vault/expertStore.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { readYaml } from '../../yaml/yaml.ts';
import type { ExpertRegistry } from '../expertRegistry.ts';
import type { Receipts } from '../receipts.ts';
import { readEntryAt } from '../retrieveEntries.ts';
import { absorbPrompt, absorbPrompts, absorbTools } from './absorb.ts';
import { type ProvenEntry, provenEntries } from './extract.ts';
import { ingestionFolder } from './ingestions.ts';
import { matchingExperts } from './matchingExperts.ts';
import { nearEntries, pathInVault } from './nearEntries.ts';

export interface IngesterParts {
  readonly ports: QuestionPorts & { readonly settings: Settings };
  readonly knowledge: () => Promise<KnowledgeBase>;
  readonly registry: Pick<ExpertRegistry, 'current' | 'find'>;
  readonly receipts: Pick<Receipts, 'all'>;
  readonly search: Pick<VaultSearch, 'search'>;
  /** Throws `plan/unknown`. */
  readonly find: (plan: string) => Promise<PlanLocation>;
  /** Asks a person; with the same id only once. */
  readonly ask: (question: {
    readonly kind: VaultApprovalKind;
    readonly subject: string;
    readonly details: unknown;
    readonly id: Ulid;
  }) => Promise<Ulid>;
  readonly allowedSecrets: () => readonly string[];
}

/** A candidate as its question names it. */
export interface AskedCandidate {
  readonly ingestion: Ulid;
  readonly at: number;
}

/**
 * Takes what plans proved into the knowledge of the vault: each new statement is checked, placed and compared by code, then
 * offered to the experts that it concerns. Each step is in the record of its cycle before the next one begins, and what a
 * step writes carries the id of the candidate, so a crash at any moment neither loses a statement nor takes it in twice.
 */
export class Ingester {
  readonly #parts: IngesterParts;
  /** Extracting does not wait for the sessions of other cycles: it only adds records. */
  readonly #extracts = new SerialQueue();
  readonly #work = new SerialQueue();
  readonly #stopping = new AbortController();

  constructor(parts: IngesterParts) {
    this.#parts = parts;
  }

  /** Looks what the latest cycle of a plan proved, and continues it. Undefined if there is nothing new. */
  async ingest(plan: string): Promise<Ingestion | undefined> {
    const found = await this.#extracts.run(() => this.#extract(plan));
    return found === undefined ? undefined : this.continue(found.id);
  }

  /** Continues the record of a cycle, as far as that goes without a person. Throws `knowledge/unknownIngestion`. */
  continue(id: Ulid): Promise<Ingestion> {
    return this.#work.run(async () => {
      let record = await this.#load(id);
      for (const at of record.candidates.keys()) {
        this.#stopping.signal.throwIfAborted();
        record = await this.#advance(record, at);
      }
      return record;
    });
  }

  /** Continues what an earlier owner left; what cannot continue now is logged, and tried again by the next one. */
  async resume(): Promise<void> {
    const { ports } = this.#parts;
    for (const { id, candidates } of (await this.all()).records) {
      if (candidates.every(({ state }) => isCandidateSettled(state) || state === 'waiting')) continue;
      try {
        await this.continue(id);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        ports.log.warn('what a plan learned was not taken in', { ingestion: id, error: messageOf(error) });
      }
    }
  }

  /** The records of all cycles, the oldest first. */
  all() {
    return ingestionFolder(this.#parts.ports).loadAll();
  }

  /** Offers what was rejected, refused or known once more. */
  async replay(id: Ulid): Promise<Ingestion> {
    await this.#work.run(async () => {
      const record = await this.#load(id);
      const candidates = record.candidates.map((one) =>
        one.state === 'added' || one.state === 'confirmed' || one.state === 'waiting' ? one : fresh(one),
      );
      await this.#save({ ...record, candidates });
    });
    return this.continue(id);
  }

  /** What a person decided about a candidate that waited; `resume` continues it. Done again it changes nothing. */
  decide(
    { ingestion, at }: AskedCandidate,
    answer: { readonly isAccepted: boolean; readonly reason?: string },
  ): Promise<void> {
    return this.#work.run(async () => {
      const record = await this.#load(ingestion);
      const candidate = record.candidates[at];
      if (candidate?.state !== 'waiting') return;
      if (!answer.isAccepted) {
        await this.#settle(record, at, {
          state: 'rejected',
          outcome: `A person rejected it. ${answer.reason ?? ''}`.trim(),
        });
      } else if (candidate.positions.length === 0) {
        await this.#set(record, at, { state: 'new', isReviewed: true, asked: {} });
      } else {
        await this.#absorb(
          record,
          at,
          candidate.positions.filter(({ verdict }) => verdict === 'absorb'),
        );
      }
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort(failure('run/stopped', 'vault', 'Ravel is stopping. What plans learned is taken in later.'));
    await this.#work.run(async () => undefined);
  }

  async #extract(plan: string): Promise<Ingestion | undefined> {
    const { ports, registry, find } = this.#parts;
    const { experts } = await registry.current();
    // Without an expert no one looks after what would be added.
    if (experts.length === 0 || ports.settings.knowledge.ingestion === 'off') return undefined;
    const { id } = await find(plan);
    const folder = ports.layout.plan(id);
    const texts = await loadPlanTexts(ports.disk, folder, [planFiles.memory, planFiles.latestSession]);
    const place = (file: string) => ({ file, subject: id });
    const memory = readYaml(memorySchema, texts.get(planFiles.memory) ?? '', place(planFiles.memory)).value;
    const latest = texts.get(planFiles.latestSession);
    const record =
      latest === undefined ? undefined : readYaml(sessionRecordSchema, latest, place(planFiles.latestSession)).value;
    if (memory === undefined || record === undefined) return undefined;
    const { records } = await this.all();
    const own = records.filter((one) => one.plan === id);
    const taken = new Set(own.flatMap(({ candidates }) => candidates.map(({ hash }) => hash)));
    const proven = provenEntries(memory, record).filter(({ hash }) => !taken.has(hash));
    const known = await (await this.#parts.knowledge()).survey(this.#stopping.signal);
    const candidates = proven.map((one) => this.#place(one, known, experts));
    if (candidates.length === 0) return own.findLast((one) => one.record === record.id);
    return this.#save({ id: ports.newUlid(), at: this.#now(), plan: id, record: record.id, candidates });
  }

  #place(proven: ProvenEntry, known: Known, experts: readonly DeclaredExpert[]): IngestionCandidate {
    const vocabulary = [
      ...known.heads.flatMap(({ fields }) => fields.tags),
      ...experts.flatMap(({ expert }) => [...expert.tags, expert['expert-id']]),
    ];
    const placement = classify({ title: proven.title, text: proven.body }, vocabulary);
    return {
      ...proven,
      ...{ claims: [...proven.claims], folder: placement.folder, tags: [...placement.tags] },
      ...{ reasons: [...placement.reasons], state: 'new', near: [], experts: [], positions: [], asked: {} },
    };
  }

  async #advance(record: Ingestion, at: number): Promise<Ingestion> {
    let now = record;
    for (;;) {
      const candidate = now.candidates[at];
      if (candidate?.state === 'new') now = await this.#offer(now, at, candidate);
      else if (candidate?.state === 'offered') return this.#askAll(now, at, candidate);
      else return now;
    }
  }

  /** What code decides alone: whether it can be taken, what is close to it, and whom it concerns. */
  async #offer(record: Ingestion, at: number, candidate: IngestionCandidate): Promise<Ingestion> {
    const { ports, registry, search, allowedSecrets } = this.#parts;
    const { signal } = this.#stopping;
    const { title, body, tags } = candidate;
    const refusal = judgeWrite(
      { title, body, fields: { title, tags } },
      { given: [], allowedSecrets: allowedSecrets() },
    );
    if (refusal !== undefined) {
      return this.#settle(record, at, { state: 'refused', outcome: refusal.findings.join(' ') });
    }
    const knowledge = await this.#parts.knowledge();
    const known = await knowledge.survey(signal);
    const near = await nearEntries({ knowledge, search }, known, { title, text: body, tags }, signal);
    const placed = await this.#set(record, at, { near: [...near] });
    // It can have been added before a crash, and would be its own twin.
    const isAdded = known.heads.some(({ fields }) => fields['ingestion-event-id'] === candidateId(record.id, at));
    const twin = isAdded ? undefined : await this.#twinOf(candidate, known);
    if (twin !== undefined) return this.#confirm(placed, at, twin, 'It is what an entry says already, word for word.');
    const { experts } = await registry.current();
    const asked = matchingExperts(experts, { tags, near: [...near] }).map(({ actor }) => actor);
    if (ports.settings.knowledge.ingestion === 'review-first' && candidate.isReviewed !== true) {
      return this.#wait(placed, at, { experts: asked }, 'Review what a plan learned');
    }
    if (asked.length > 0) return this.#set(placed, at, { experts: asked, state: 'offered' });
    return this.#add(placed, at, {
      folder: uncategorizedFolder,
      outcome: 'No expert is concerned, so it waits to be placed.',
    });
  }

  /** Asks each expert that has not decided yet, in a fresh session each. */
  async #askAll(record: Ingestion, at: number, candidate: IngestionCandidate): Promise<Ingestion> {
    let now = record;
    if (candidate.asking !== undefined) {
      await this.#parts.ports.endOrphan(candidate.asking.session);
      now = await this.#set(now, at, { asking: undefined });
    }
    for (const expert of candidate.experts) {
      if (now.candidates[at]?.positions.some((one) => one.expert === expert) === true) continue;
      now = await this.#askOne(now, at, expert);
    }
    return this.#conclude(now, at);
  }

  async #askOne(record: Ingestion, at: number, actor: QualifiedId): Promise<Ingestion> {
    const { ports, registry } = this.#parts;
    const { signal } = this.#stopping;
    const declared = await registry.find(actor);
    const candidate = record.candidates[at];
    if (candidate === undefined) return record;
    if (declared === undefined) {
      return this.#position(record, at, {
        expert: actor,
        verdict: 'none',
        reason: 'It is not declared any more.',
        contradicts: [],
      });
    }
    const session = ports.newUlid();
    let now = await this.#set(record, at, { asking: { expert: actor, session } });
    const { layout } = ports;
    const read = await Promise.all(candidate.near.map(({ path }) => readEntryAt(ports.disk, layout, path)));
    const entries = read.filter((entry) => entry !== undefined);
    let taken: Omit<ExpertPosition, 'expert'> | undefined;
    const report = await ports.consult(
      {
        ...{ session, purpose: 'absorb', actor },
        system: { file: absorbPrompts.system, values: {} },
        prompt: absorbPrompt(declared.expert, candidate, entries),
        tools: absorbTools({
          entries,
          take: async (position) => {
            now = await this.#position(now, at, { expert: actor, ...position });
            taken = position;
          },
        }),
        timeMs: ports.settings.limits['answer-minutes'] * 60_000,
        ...defined({ model: declared.expert.model ?? undefined }),
      },
      signal,
    );
    if (taken !== undefined) return now;
    signal.throwIfAborted();
    const reason = `Its session ended without a decision (${report.end}).`;
    return this.#position(now, at, { expert: actor, verdict: 'none', reason, contradicts: [] });
  }

  /** What follows from what the experts said. */
  async #conclude(record: Ingestion, at: number): Promise<Ingestion> {
    const positions = record.candidates[at]?.positions ?? [];
    const of = (verdict: ExpertPosition['verdict']) => positions.filter((one) => one.verdict === verdict);
    const [absorbs, links, rejects] = [of('absorb'), of('link'), of('reject')];
    const [link] = links;
    if (absorbs.length > 0 && rejects.length > 0)
      return this.#wait(record, at, {}, 'Experts disagree about what a plan learned');
    if (absorbs.length > 0) return this.#absorb(record, at, absorbs);
    if (link?.entry !== undefined) return this.#confirm(record, at, link.entry, `${link.expert}: ${link.reason}`);
    if (rejects.length === 0) {
      return this.#wait(record, at, {}, 'No expert decided about what a plan learned');
    }
    const outcome = rejects.map(({ expert, reason }) => `${expert}: ${reason}`).join(' ');
    return this.#settle(record, at, { state: 'rejected', outcome });
  }

  /** Adds it where the first of these experts keeps what it knows, beside what it contradicts. */
  async #absorb(record: Ingestion, at: number, absorbs: readonly ExpertPosition[]): Promise<Ingestion> {
    const [first] = absorbs;
    const declared = first === undefined ? undefined : await this.#parts.registry.find(first.expert);
    const [scope = ''] = declared?.expert['knowledge-scope'] ?? [];
    const folder = foldersOfScope(scope).join('/') || record.candidates[at]?.folder || uncategorizedFolder;
    const by = absorbs.map(({ expert }) => expert.slice('expert:'.length)).join(', ');
    const contradicted = [...new Set(absorbs.flatMap(({ contradicts }) => contradicts))];
    const outcome = absorbs.map(({ expert, reason }) => `${expert}: ${reason}`).join(' ');
    return this.#add(record, at, { folder, outcome, contradicted, ...defined({ by: by === '' ? undefined : by }) });
  }

  async #add(
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
    let became: string;
    try {
      became = (await this.#added(id)) ?? (await this.#addNew(record, candidate, { ...how, id }));
    } catch (error) {
      // What a check refuses is refused tomorrow, too; a full disk is not.
      if (!isRavelError(error) || !/^(?:write|entry)\//.test(error.code)) throw error;
      return this.#settle(record, at, { state: 'refused', outcome: error.diagnostic.message });
    }
    let now = record;
    for (const other of how.contradicted ?? []) {
      try {
        await knowledge.contradict(became, other, how.outcome.slice(0, 500));
      } catch (error) {
        // Linked before a crash, or gone meanwhile.
        if (!isRavelError(error, 'entry/alreadyLinked') && !isRavelError(error, 'entry/unknown')) throw error;
      }
      now = await this.#askToSupersede(now, at, { older: other, newer: became });
    }
    return this.#settle(now, at, { state: 'added', outcome: how.outcome, became });
  }

  /** The entry that a candidate became already, before a crash. */
  async #added(id: string): Promise<string | undefined> {
    const { heads } = await (await this.#parts.knowledge()).survey(this.#stopping.signal);
    const head = heads.find(({ fields }) => fields['ingestion-event-id'] === id);
    return head && pathInVault(head);
  }

  async #addNew(
    { plan }: Ingestion,
    { title, body, tags, claims }: IngestionCandidate,
    { id, by, folder }: { readonly id: string; readonly by?: string; readonly folder: string },
  ): Promise<string> {
    const knowledge = await this.#parts.knowledge();
    const { project } = await this.#parts.find(plan);
    const date = this.#now().slice(0, 10);
    const entry = {
      ...{ body, tags, folder, confidence: 'medium' as const, given: [], source: plan },
      origins: [{ project, date, context: contextOf(plan, claims, id) }],
      ingested: { id, at: this.#now(), ...defined({ by }) },
    };
    for (const name of [title, `${title} (${project})`, `${title} (${id})`]) {
      try {
        await knowledge.add({ ...entry, title: name });
        break;
      } catch (error) {
        // Another statement has this title.
        if (!isRavelError(error, 'entry/exists')) throw error;
      }
    }
    const became = await this.#added(id);
    if (became !== undefined) return became;
    throw failure('entry/exists', title, `Other entries have the title "${title}" and the names made of it.`);
  }

  /** The project of the plan becomes one more in which an entry holds; what the plan had been told proves nothing. */
  async #confirm(record: Ingestion, at: number, path: string, outcome: string): Promise<Ingestion> {
    const candidate = record.candidates[at];
    if (candidate === undefined) return record;
    const knowledge = await this.#parts.knowledge();
    const { project } = await this.#parts.find(record.plan);
    if (await this.#wasTold(record.plan, path)) {
      const told = 'The plan had been told it in an answer, so it proves nothing new.';
      return this.#settle(record, at, { state: 'known', outcome: told, became: path });
    }
    const id = candidateId(record.id, at);
    const context = contextOf(record.plan, candidate.claims, id);
    const { fields } = await knowledge.load(path);
    const isNoted = fields.origins.some((origin) => origin.context?.endsWith(`(${id})`) === true);
    if (!isNoted) await knowledge.validate(path, { project, context });
    const asked = await this.#askToGraduate(record, at, path);
    return this.#settle(asked, at, { state: 'confirmed', outcome, became: path });
  }

  async #wasTold(plan: QualifiedId, path: string): Promise<boolean> {
    const { records } = await this.#parts.receipts.all();
    return records.some(({ from, entries }) => from === plan && entries.some((entry) => entry.path === path));
  }

  async #twinOf({ title, body }: IngestionCandidate, known: Known): Promise<string | undefined> {
    const knowledge = await this.#parts.knowledge();
    const statement: Pick<MemoryEntry, 'title' | 'body'> = { title: '', body };
    for (const head of known.heads) {
      if (head.isArchived || head.fields.title.trim() !== title.trim()) continue;
      const { body: other } = await knowledge.load(pathInVault(head), known);
      if (memoryFingerprint({ title: '', body: other }) === memoryFingerprint(statement)) return pathInVault(head);
    }
    return undefined;
  }

  async #askToGraduate(record: Ingestion, at: number, path: string): Promise<Ingestion> {
    const entry = await (await this.#parts.knowledge()).load(path);
    if (!canGraduate(entry)) return record;
    const details = { path, title: entry.fields.title, text: entry.text, hash: entry.hash };
    return this.#ask(
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
    return this.#ask(record, at, { kind: 'contradicting-entries', subject, details }, older);
  }

  /** Asks once, also across a crash: the id of the question is in the record before it is asked. */
  async #ask(
    record: Ingestion,
    at: number,
    question: { readonly kind: VaultApprovalKind; readonly subject: string; readonly details: unknown },
    about = '',
  ): Promise<Ingestion> {
    const asked = record.candidates[at]?.asked ?? {};
    const key = `${question.kind} ${about}`.trim();
    const id = asked[key] ?? this.#parts.ports.newUlid();
    const now = asked[key] === undefined ? await this.#set(record, at, { asked: { ...asked, [key]: id } }) : record;
    await this.#parts.ask({ ...question, id });
    return now;
  }

  async #wait(
    record: Ingestion,
    at: number,
    changes: Partial<IngestionCandidate>,
    subject: string,
  ): Promise<Ingestion> {
    const now = await this.#set(record, at, changes);
    const candidate = now.candidates[at];
    const details = { ingestion: record.id, at, plan: record.plan, ...candidate };
    const asked = await this.#ask(now, at, {
      kind: 'learned-statement',
      subject: `${subject}: ${candidate?.title}`,
      details,
    });
    return this.#settle(asked, at, { state: 'waiting', outcome: 'A person is asked.' });
  }

  #position(record: Ingestion, at: number, position: ExpertPosition): Promise<Ingestion> {
    const positions = [...(record.candidates[at]?.positions ?? []), position];
    return this.#set(record, at, { positions, asking: undefined });
  }

  async #settle(record: Ingestion, at: number, changes: Partial<IngestionCandidate>): Promise<Ingestion> {
    const now = await this.#set(record, at, { ...changes, asking: undefined });
    const { title = '', state = 'new', outcome = '' } = now.candidates[at] ?? {};
    const { emit } = this.#parts.ports;
    emit({
      at: this.#now(),
      actor: record.plan,
      type: 'knowledge.candidate',
      ingestion: record.id,
      title,
      state,
      outcome,
    });
    return now;
  }

  #set(record: Ingestion, at: number, changes: Partial<IngestionCandidate>): Promise<Ingestion> {
    const candidates = record.candidates.map((one, place) => (place === at ? { ...one, ...changes } : one));
    return this.#save({ ...record, candidates });
  }

  async #save(record: Ingestion): Promise<Ingestion> {
    await ingestionFolder(this.#parts.ports).save(record.id, record);
    return record;
  }

  async #load(id: Ulid): Promise<Ingestion> {
    const record = await ingestionFolder(this.#parts.ports).load(id);
    if (record !== undefined) return record;
    throw failure('knowledge/unknownIngestion', id, `There is no record ${id} of what a plan learned.`);
  }

  #now(): string {
    return formatTimestamp(this.#parts.ports.clock.wallMs());
  }
}

/** Ends in the id of the candidate, by which it is noted once. */
function contextOf(plan: QualifiedId, claims: readonly string[], id: string): string {
  return `Proven by ${plan}: ${claims.join(' ').slice(0, 300)} (${id})`;
}

/** As before anyone was asked. */
function fresh({ entry, hash, title, body, claims, folder, tags, reasons }: IngestionCandidate): IngestionCandidate {
  return {
    entry,
    hash,
    title,
    body,
    claims,
    folder,
    tags,
    reasons,
    state: 'new',
    near: [],
    experts: [],
    positions: [],
    asked: {},
  };
}
