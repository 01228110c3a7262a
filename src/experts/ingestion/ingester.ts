import { defined } from '../../base/defined.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { judgeWrite } from '../../gates/writes/writeGates.ts';
import type { KnowledgeBase } from '../../knowledge/entries/knowledgeBase.ts';
import { classify, type Placement } from '../../knowledge/likeness/classify.ts';
import type { VaultSearch } from '../../knowledge/search/vaultSearch.ts';
import type { UseJournal } from '../../knowledge/uses/useJournal.ts';
import { failure } from '../../model/codes.ts';
import { uncategorizedFolder } from '../../model/entry.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import {
  candidateId,
  type ExpertPosition,
  type Ingestion,
  type IngestionCandidate,
  isCandidateSettled,
} from '../../model/ingestion.ts';
import { memorySchema } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import { sessionRecordSchema } from '../../model/session.ts';
import type { Settings } from '../../model/settings.ts';
import type { StoredValues } from '../../model/storedValues.ts';
import type { QuestionPorts } from '../../questions/questionPorts.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { readYaml } from '../../yaml/yaml.ts';
import type { ExpertRegistry } from '../expertRegistry.ts';
import { readEntryAt, withDistinctIds } from '../retrieveEntries.ts';
import { absorbPrompt, absorbPrompts, absorbTools, withinBudget } from './absorb.ts';
import { basisOf, decidedBefore, hasDecided } from './earlierDecisions.ts';
import { EntryIntake } from './entryIntake.ts';
import { type ProvenEntry, provenEntries } from './extract.ts';
import { type AskPerson, IngestionSteps } from './ingestionSteps.ts';
import { ingestionFolder } from './ingestions.ts';
import { matchingExperts } from './matchingExperts.ts';
import { nearEntries } from './nearEntries.ts';
import { loadPriorKnowledge, type PriorKnowledgeParts, repeatsPrior } from './priorKnowledge.ts';
import { addedAs, twinOf, wordForWord } from './twins.ts';

export interface IngesterParts extends PriorKnowledgeParts {
  readonly ports: QuestionPorts & {
    readonly settings: Settings;
    /** Finds the values of the person's secrets. */
    readonly storedSecrets: () => Promise<StoredValues>;
  };
  readonly knowledge: () => Promise<KnowledgeBase>;
  readonly registry: Pick<ExpertRegistry, 'current' | 'find'>;
  readonly search: Pick<VaultSearch, 'search'>;
  readonly uses: Pick<UseJournal, 'record'>;
  /** Throws `plan/unknown`. */
  readonly find: (plan: string) => Promise<PlanLocation>;
  readonly ask: AskPerson;
}

/** A longer statement is a document, and would fill the prompt of each expert. */
const statementBytesMax = 32 * 1024;

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
  readonly #steps: IngestionSteps;
  readonly #intake: EntryIntake;
  /** Extracting does not wait for the sessions of other cycles: it only adds records. */
  readonly #extracts = new SerialQueue();
  readonly #work = new SerialQueue();
  readonly #stopping = new AbortController();

  constructor(parts: IngesterParts) {
    this.#parts = parts;
    this.#steps = new IngestionSteps(parts.ports, parts.ask);
    this.#intake = new EntryIntake({ ...parts, steps: this.#steps, signal: this.#stopping.signal });
  }

  /** Looks what the latest cycle of a plan proved, and continues it. Undefined if there is nothing new. */
  async ingest(plan: string): Promise<Ingestion | undefined> {
    const found = await this.#extracts.run(() => this.#extract(plan));
    return found === undefined ? undefined : this.continue(found.id);
  }

  /**
   * Continues the record of a cycle, as far as that goes without a person. Throws `knowledge/unknownIngestion`, and what
   * stopped a candidate once all others were continued.
   */
  continue(id: Ulid): Promise<Ingestion> {
    return this.#work.run(async () => {
      let record = await this.#steps.load(id);
      const errors: unknown[] = [];
      for (const at of record.candidates.keys()) {
        this.#stopping.signal.throwIfAborted();
        try {
          record = await this.#advance(record, at);
        } catch (error) {
          this.#stopping.signal.throwIfAborted();
          errors.push(error);
          record = await this.#steps.load(id);
        }
      }
      if (errors.length > 0) throw errors[0];
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

  /** Throws `knowledge/unknownIngestion`. */
  load(id: Ulid): Promise<Ingestion> {
    return this.#steps.load(id);
  }

  /** The records of all cycles, the oldest first. */
  all() {
    return ingestionFolder(this.#parts.ports).loadAll();
  }

  /** Offers what was rejected, refused or known once more. */
  async replay(id: Ulid): Promise<Ingestion> {
    await this.#work.run(async () => {
      const record = await this.#steps.load(id);
      const candidates = record.candidates.map((one) =>
        ['added', 'confirmed', 'waiting', 'new', 'offered'].includes(one.state)
          ? one
          : { ...fresh(one), isReplayed: true },
      );
      await this.#steps.save({ ...record, candidates });
    });
    return this.continue(id);
  }

  /** What a person decided about a candidate that waited; `resume` continues it. Done again it changes nothing. */
  decide(
    { ingestion, at }: AskedCandidate,
    answer: { readonly isAccepted: boolean; readonly reason?: string },
  ): Promise<void> {
    return this.#work.run(async () => {
      const record = await this.#steps.load(ingestion);
      const candidate = record.candidates[at];
      if (candidate?.state !== 'waiting') return;
      if (!answer.isAccepted) {
        await this.#steps.settle(record, at, {
          state: 'rejected',
          outcome: `A person rejected it. ${answer.reason ?? ''}`.trim(),
        });
      } else if (candidate.positions.length === 0) {
        await this.#steps.set(record, at, { state: 'new', isReviewed: true, asked: {} });
      } else {
        await this.#intake.absorb(
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
    const workSession = await this.#workSession(id);
    const proven = provenEntries(memory, record, workSession).filter(({ hash }) => !taken.has(hash));
    if (proven.length === 0) return own.findLast((one) => one.record === record.id);
    const { heads } = await (await this.#parts.knowledge()).survey(this.#stopping.signal);
    const vocabulary = [
      ...heads.flatMap(({ fields }) => fields.tags),
      ...experts.flatMap(({ expert }) => [...expert.tags, expert['expert-id']]),
    ];
    const candidates = proven.map((one) => candidateOf(one, classify(one, vocabulary)));
    const saved = await this.#steps.save({
      ...{ id: ports.newUlid(), at: this.#steps.now(), plan: id, record: record.id, candidates },
    });
    for (const [at, { reasons }] of candidates.entries()) this.#steps.tell(saved, at, 'extracted', reasons.join(' '));
    return saved;
  }

  /** The session of the latest work. A run state that cannot be read is told elsewhere, and leads to no session. */
  async #workSession(plan: QualifiedId): Promise<Ulid | undefined> {
    try {
      return (await loadRunState(this.#parts.ports, plan)).workSession;
    } catch (error) {
      if (!isRavelError(error)) throw error;
      return undefined;
    }
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
    const { ports, registry, search } = this.#parts;
    const { signal } = this.#stopping;
    const { title, body, tags, claims } = candidate;
    if (Buffer.byteLength(body) > statementBytesMax) {
      const outcome = `It is longer than ${statementBytesMax / 1024} KiB; one entry says one thing.`;
      return this.#steps.settle(record, at, { state: 'refused', outcome });
    }
    const { texts: given, damage } = await loadPriorKnowledge(this.#parts, record.plan, candidate);
    if (damage !== undefined && candidate.isReviewed !== true) {
      return this.#steps.wait(record, at, {}, 'What sessions were shown is not known, so judge what a plan learned');
    }
    const facts = {
      given,
      allowedSecrets: ports.settings.gates['allowed-secrets'],
      storedSecrets: await ports.storedSecrets(),
    };
    // The claims become a part of the entry, too; they repeat nothing, since analysis wrote them.
    const proof = claims.length === 0 ? undefined : { title, body: claims.join('\n'), fields: { title, tags } };
    const refusal =
      judgeWrite({ title, body, fields: { title, tags } }, facts) ??
      (proof && judgeWrite(proof, { ...facts, given: [] }));
    if (refusal?.code === 'write/echo')
      return this.#steps.settle(record, at, { state: 'known', outcome: repeatsPrior });
    if (refusal !== undefined) {
      return this.#steps.settle(record, at, { state: 'refused', outcome: refusal.findings.join(' ') });
    }
    const knowledge = await this.#parts.knowledge();
    const known = await knowledge.survey(signal);
    const near = await nearEntries({ knowledge, search }, known, { title, text: body, tags }, signal);
    const placed = await this.#steps.set(record, at, { near: [...near] });
    const titles = near.map((one) => `“${one.title}”`).join(', ');
    this.#steps.tell(placed, at, 'compared', titles === '' ? 'No entry is close to it.' : `Close to it: ${titles}.`);
    // It can have been added before a crash, and would be its own twin.
    const isAdded = addedAs(known, candidateId(record.id, at)) !== undefined;
    const twin = isAdded ? undefined : await twinOf(knowledge, candidate, known);
    if (twin !== undefined) return this.#intake.confirm(placed, at, twin, wordForWord);
    const { experts } = await registry.current();
    const asked = matchingExperts(experts, { tags, near: [...near] }).map(({ actor }) => actor);
    if (ports.settings.knowledge.ingestion === 'review-first' && candidate.isReviewed !== true) {
      return this.#steps.wait(placed, at, { experts: asked }, 'Review what a plan learned');
    }
    if (asked.length > 0) {
      const offered = await this.#steps.set(placed, at, { experts: asked, state: 'offered' });
      this.#steps.tell(offered, at, 'offered', `To ${asked.join(', ')}.`);
      return offered;
    }
    return this.#intake.add(placed, at, {
      folder: uncategorizedFolder,
      outcome: 'No expert is concerned, so it waits to be placed.',
    });
  }

  /** Asks each expert that has not decided yet, in a fresh session each. */
  async #askAll(record: Ingestion, at: number, candidate: IngestionCandidate): Promise<Ingestion> {
    let now = record;
    if (candidate.asking !== undefined) {
      await this.#parts.ports.endOrphan(candidate.asking.session);
      now = await this.#steps.set(now, at, { asking: undefined });
    }
    // A person who offers it again wants it judged again.
    const earlier = candidate.isReplayed === true ? [] : (await this.all()).records;
    for (const expert of candidate.experts) {
      if (!hasDecided(now, at, expert)) now = await this.#askOne(now, at, expert, earlier);
    }
    return this.#conclude(now, at);
  }

  async #askOne(record: Ingestion, at: number, actor: QualifiedId, earlier: readonly Ingestion[]): Promise<Ingestion> {
    const { ports, registry } = this.#parts;
    const { signal } = this.#stopping;
    const declared = await registry.find(actor);
    const candidate = record.candidates[at];
    if (candidate === undefined) return record;
    if (declared === undefined) {
      return this.#steps.position(record, at, {
        expert: actor,
        verdict: 'none',
        reason: 'It is not declared any more.',
        contradicts: [],
      });
    }
    const { layout } = ports;
    const read = await Promise.all(candidate.near.map(({ path }) => readEntryAt(ports.disk, layout, path)));
    const found = read.filter((entry) => entry !== undefined);
    const entries = withinBudget(withDistinctIds(found), declared.expert.retrieval['max-bytes']);
    const basis = basisOf(declared.expert, candidate, entries);
    const decided = decidedBefore(earlier, actor, basis);
    if (decided !== undefined) return this.#steps.position(record, at, decided);
    const session = ports.newUlid();
    let now = await this.#steps.set(record, at, { asking: { expert: actor, session } });
    const report = await ports.consult(
      {
        ...{ session, purpose: 'absorb', actor },
        system: { file: absorbPrompts.system, values: {} },
        prompt: absorbPrompt(declared.expert, candidate, entries),
        tools: absorbTools({
          entries,
          take: async (position) => {
            now = await this.#steps.position(now, at, { expert: actor, ...position, basis });
          },
        }),
        timeMs: ports.settings.limits['answer-minutes'] * 60_000,
        ...defined({ model: declared.expert.model ?? undefined }),
      },
      signal,
    );
    if (hasDecided(now, at, actor)) return now;
    signal.throwIfAborted();
    const reason = `Its session ended without a decision (${report.end}).`;
    return this.#steps.position(now, at, { expert: actor, verdict: 'none', reason, contradicts: [] });
  }

  /** What follows from what the experts said. */
  async #conclude(record: Ingestion, at: number): Promise<Ingestion> {
    const positions = record.candidates[at]?.positions ?? [];
    const of = (verdict: ExpertPosition['verdict']) => positions.filter((one) => one.verdict === verdict);
    const [absorbs, links, rejects] = [of('absorb'), of('link'), of('reject')];
    const [link] = links;
    // Beside an entry that says the same it would be a second one.
    if (absorbs.length > 0 && rejects.length + links.length > 0)
      return this.#steps.wait(record, at, {}, 'Experts disagree about what a plan learned');
    if (absorbs.length > 0) return this.#intake.absorb(record, at, absorbs);
    if (link?.entry !== undefined)
      return this.#intake.confirm(record, at, link.entry, `${link.expert}: ${link.reason}`);
    if (rejects.length === 0) {
      return this.#steps.wait(record, at, {}, 'No expert decided about what a plan learned');
    }
    const outcome = rejects.map(({ expert, reason }) => `${expert}: ${reason}`).join(' ');
    return this.#steps.settle(record, at, { state: 'rejected', outcome });
  }
}

function candidateOf(proven: ProvenEntry, { folder, tags, kind, reasons }: Placement): IngestionCandidate {
  const { claims, sessions, ...entry } = proven;
  return fresh({
    ...{ ...entry, claims: [...claims], sessions: [...sessions], folder, kind, tags: [...tags], reasons: [...reasons] },
  });
}

type Placed = Pick<
  IngestionCandidate,
  'entry' | 'hash' | 'title' | 'body' | 'claims' | 'sessions' | 'folder' | 'tags' | 'kind' | 'reasons'
>;

/** As before anyone was asked. */
function fresh({
  entry,
  hash,
  title,
  body,
  claims,
  sessions,
  folder,
  tags,
  kind,
  reasons,
}: Placed): IngestionCandidate {
  return {
    ...{ entry, hash, title, body, claims, sessions, folder, tags, kind, reasons },
    ...{ state: 'new', near: [], experts: [], positions: [], asked: {} },
  };
}
