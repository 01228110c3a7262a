import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import type { RavelEvent } from '../model/event.ts';
import type { VaultPart } from '../model/eventRow.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Api, RequestName, RequestParams, RequestResults } from '../model/protocol.ts';
import type { ActorRow, DeadLetterRow } from '../model/requests/actors.ts';
import type { ApprovalRow } from '../model/requests/approvals.ts';
import type { ExpertRow } from '../model/requests/experts.ts';
import type { OpenQuestionRow } from '../model/requests/messages.ts';
import type { OutlineRow, PlanRow } from '../model/requests/plans.ts';
import { invalidatedBy } from './invalidation.ts';
import type { Observable } from './observable.ts';
import { buildOutline, emptyOutline, type PlanNode, type PlanOutline, withQueues, withRows } from './planOutline.ts';
import type { VaultLink } from './vaultLink.ts';

/** How much of the vault is known: none is shown, nothing yet, the tree with descriptions, or all. */
export type VaultStage = 'none' | 'opening' | 'outlined' | 'ready';

/** What changed since the last change that was told. */
export interface VaultChange {
  /** Plans whose nodes changed; `all` if the tree itself did. */
  readonly plans: ReadonlySet<QualifiedId> | 'all';
  readonly experts: boolean;
  readonly approvals: boolean;
  readonly deadLetters: boolean;
  /** Messages that look for their receiver. */
  readonly messages: boolean;
  /** Questions to plans and experts that have no answer yet. */
  readonly questions: boolean;
  readonly sessions: boolean;
  readonly spending: boolean;
  /** The stage, the state of the link, or how far a verification is. */
  readonly progress: boolean;
}

export interface VaultExperts {
  readonly rows: readonly ExpertRow[];
  /** How those stand that are not dormant. */
  readonly actors: ReadonlyMap<QualifiedId, ActorRow>;
  /** What is wrong with declarations. */
  readonly faults: RequestResults['experts']['diagnostics'];
}

export interface Verifying {
  readonly done: number;
  readonly total: number;
}

export interface VaultModelParts {
  readonly link: Observable<VaultLink | undefined>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Changes are told at most this often, so that a storm of events is one change. Less than the tenth of a second up to
 * which a person takes an answer for immediate, with the time for reading and drawing in it.
 */
const tickMs = 60;
/** A verification whose progress is not told for this long has ended with its owner. */
const silenceMs = 10_000;
/**
 * Rows are read in parts, since an answer is at most 8 MiB long: that leaves 2 KiB for each row. One of a plan that runs,
 * with the longest description, has half a KiB; the rest is for faults.
 */
const rowsAtOnce = 4000;
/** An owner reads four at a time for one client (`server/connection.ts`); the others are there when it has room. */
const requestsAtOnce = 8;

/**
 * The picture of the vault that all views of this window share: read once when the vault opens, first what a tree needs,
 * then kept by events, each of which has just what it touched read again.
 */
export class VaultModel implements Disposable {
  readonly #parts: VaultModelParts;
  readonly #changes: Emitter<VaultChange>;
  readonly #subscription: Disposable;
  #link: VaultLink | undefined;
  #linkSubscriptions: readonly Disposable[] = [];
  /** Ends what belongs to an earlier opening of the vault. */
  #opening = new AbortController();
  #stage: VaultStage = 'none';
  #outline: PlanOutline = emptyOutline;
  #approvals: readonly ApprovalRow[] = [];
  #deadLetters: readonly DeadLetterRow[] = [];
  #questions: readonly OpenQuestionRow[] = [];
  #experts: VaultExperts = noExperts;
  #spending: RequestResults['spending'] | undefined;
  #policyFaults: readonly Diagnostic[] = [];
  #verifying: Verifying | undefined;
  readonly #touchedPlans = new Set<QualifiedId>();
  readonly #touchedFacets = new Set<VaultPart>();
  readonly #queue = new Map<QualifiedId, string | undefined>();
  #hasProgress = false;
  #timer: Disposable | undefined;
  /** Until a verification that says nothing is taken to be over. */
  #silence: Disposable | undefined;
  #isReading = false;

  constructor(parts: VaultModelParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onError);
    this.#subscription = parts.link.onDidChange((link) => this.#show(link));
    this.#show(parts.link.value);
  }

  /** Tells what changed, at most once each tick, when all of it can be read. */
  get onDidChange() {
    return this.#changes.event;
  }

  get stage(): VaultStage {
    return this.#stage;
  }

  get link(): VaultLink | undefined {
    return this.#link;
  }

  /** Every plan, and where it stands in the tree. */
  get outline(): PlanOutline {
    return this.#outline;
  }

  plan(id: string): PlanNode | undefined {
    return this.#outline.nodes.get(id as QualifiedId);
  }

  /** The questions for a person, the oldest first. */
  get approvals(): readonly ApprovalRow[] {
    return this.#approvals;
  }

  /** Messages that could not be delivered. */
  get deadLetters(): readonly DeadLetterRow[] {
    return this.#deadLetters;
  }

  /** Questions to plans and experts that have no answer yet, the oldest first. */
  get questions(): readonly OpenQuestionRow[] {
    return this.#questions;
  }

  get experts(): VaultExperts {
    return this.#experts;
  }

  /** What is wrong with the policies of the vault and of projects that cannot be used, as of the last look at all plans. */
  get policyFaults(): readonly Diagnostic[] {
    return this.#policyFaults;
  }

  /** What today has cost; undefined until it is read. */
  get spending(): RequestResults['spending'] | undefined {
    return this.#spending;
  }

  /** Undefined while nothing is verified. */
  get verifying(): Verifying | undefined {
    return this.#verifying;
  }

  /** Reads everything again, for a vault that tells of no changes. */
  async refresh(): Promise<void> {
    if (this.#link !== undefined && this.#stage !== 'none') await this.#load(this.#link.api);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#leave();
    this.#changes.dispose();
  }

  #show(link: VaultLink | undefined): void {
    this.#leave();
    this.#link = link;
    this.#stage = link === undefined ? 'none' : 'opening';
    this.#outline = emptyOutline;
    this.#approvals = [];
    this.#deadLetters = [];
    this.#questions = [];
    this.#experts = noExperts;
    this.#spending = undefined;
    this.#policyFaults = [];
    this.#verifying = undefined;
    this.#changes.emit(everything);
    if (link === undefined) return;
    const load = () => {
      this.#load(link.api).catch(this.#parts.onError);
    };
    this.#linkSubscriptions = [
      link.api.onEvent((event) => this.#hear(event)),
      link.onDidOpen(load),
      link.onDidChangeState(() => this.#changes.emit({ ...nothing, progress: true })),
    ];
    if (isOpen(link)) load();
  }

  #leave(): void {
    this.#opening.abort();
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#silence?.dispose();
    for (const subscription of this.#linkSubscriptions) subscription.dispose();
    this.#linkSubscriptions = [];
    this.#touchedPlans.clear();
    this.#touchedFacets.clear();
    this.#queue.clear();
  }

  /** First what a tree shows, which is told at once; then all rows; then the rest. */
  async #load(api: Api): Promise<void> {
    this.#opening.abort();
    const opening = new AbortController();
    this.#opening = opening;
    const { signal } = opening;
    try {
      const { plans } = await api.request('outline', {}, signal);
      if (signal.aborted) return;
      this.#outline = buildOutline(plans, this.#outline);
      if (this.#stage !== 'ready') this.#stage = 'outlined';
      this.#changes.emit({ ...nothing, plans: 'all', progress: true });
      const { rows, policyFaults } = await readRows(api, signal);
      if (signal.aborted) return;
      this.#policyFaults = policyFaults;
      this.#outline = withRows(this.#outline, rows);
      this.#changes.emit({ ...nothing, plans: 'all' });
      await this.#readFacets(api, new Set(facetsOfLoad), signal);
      if (signal.aborted) return;
      this.#stage = 'ready';
      this.#changes.emit({ ...everything, plans: new Set() });
      this.#scheduleTick();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #hear(event: RavelEvent): void {
    const { plan, parts: facets } = invalidatedBy(event);
    if (plan !== undefined) this.#touchedPlans.add(plan);
    for (const facet of facets) this.#touchedFacets.add(facet);
    if (plan !== undefined) this.#followQueue(plan, event);
    if (event.type === 'vault.verifying') this.#followVerifying(event);
    if (this.#isTouched()) this.#scheduleTick();
  }

  /** One that is broken off says nothing more, and is over when it has said nothing for a while. */
  #followVerifying({ done, total }: Verifying): void {
    this.#silence?.dispose();
    this.#verifying = done < total ? { done, total } : undefined;
    this.#hasProgress = true;
    if (this.#verifying === undefined) return;
    this.#silence = this.#parts.clock.schedule(silenceMs, () => {
      this.#verifying = undefined;
      this.#hasProgress = true;
      this.#scheduleTick();
    });
  }

  /** That a run waits for its turn is told by events alone. */
  #followQueue(plan: QualifiedId, event: RavelEvent): void {
    if (event.type === 'run.queued') this.#queue.set(plan, event.reason);
    else if (event.type.startsWith('phase.') || event.type === 'run.ended') this.#queue.set(plan, undefined);
  }

  #isTouched(): boolean {
    return this.#touchedPlans.size > 0 || this.#touchedFacets.size > 0 || this.#hasProgress;
  }

  #scheduleTick(): void {
    if (this.#timer !== undefined || this.#isReading || this.#stage !== 'ready' || !this.#isTouched()) return;
    this.#timer = this.#parts.clock.schedule(tickMs, () => {
      this.#timer = undefined;
      this.#catchUp().catch(this.#parts.onError);
    });
  }

  /** Reads what was touched since the last time, and tells it as one change. */
  async #catchUp(): Promise<void> {
    const api = this.#link?.api;
    if (api === undefined) return;
    const { signal } = this.#opening;
    const [plans, facets, queue] = [[...this.#touchedPlans], new Set(this.#touchedFacets), new Map(this.#queue)];
    const progress = this.#hasProgress;
    this.#touchedPlans.clear();
    this.#touchedFacets.clear();
    this.#queue.clear();
    this.#hasProgress = false;
    this.#isReading = true;
    try {
      const changed = await this.#readFacets(api, facets, signal);
      const rows = await this.#readTouched(api, plans, signal);
      if (signal.aborted) return;
      this.#outline = withRows(withQueues(this.#outline, queue), rows);
      const touched = new Set(plans.filter((plan) => this.#outline.nodes.has(plan)));
      this.#changes.emit({ ...changed, plans: facets.has('structure') ? 'all' : touched, progress });
    } catch (error) {
      if (!signal.aborted) this.#parts.onError(error);
    } finally {
      this.#isReading = false;
      this.#scheduleTick();
    }
  }

  /** Rows of plans by their own request, so that a large vault is not read for one of its plans. */
  async #readTouched(api: Api, plans: readonly QualifiedId[], signal: AbortSignal): Promise<PlanRow[]> {
    const rows: PlanRow[] = [];
    for (let from = 0; from < plans.length; from += requestsAtOnce) {
      const part = plans.slice(from, from + requestsAtOnce);
      const read = await Promise.all(part.map((plan) => this.#ask(api, 'status', { plan }, signal)));
      rows.push(...read.filter((row) => row !== undefined));
    }
    return rows;
  }

  async #readFacets(api: Api, facets: ReadonlySet<VaultPart>, signal: AbortSignal): Promise<VaultChange> {
    const has = (facet: VaultPart) => facets.has(facet);
    const [outline, approvals, deadLetters, questions, experts, actors, spending] = await Promise.all([
      has('structure') ? this.#ask(api, 'outline', {}, signal) : undefined,
      has('approvals') ? this.#ask(api, 'approvals', {}, signal) : undefined,
      has('deadLetters') ? this.#ask(api, 'dead_letters', {}, signal) : undefined,
      has('questions') ? this.#ask(api, 'questions', {}, signal) : undefined,
      has('experts') ? this.#ask(api, 'experts', {}, signal) : undefined,
      has('experts') ? this.#ask(api, 'actors', {}, signal) : undefined,
      has('spending') ? this.#ask(api, 'spending', {}, signal) : undefined,
    ]);
    if (signal.aborted) return nothing;
    if (outline !== undefined) this.#rebuild(outline.plans);
    if (approvals !== undefined) this.#approvals = approvals.approvals;
    if (deadLetters !== undefined) this.#deadLetters = deadLetters.deadLetters;
    if (questions !== undefined) this.#questions = questions.questions;
    if (experts !== undefined) this.#experts = expertsOf(experts, actors?.actors ?? []);
    if (spending !== undefined) this.#spending = spending;
    return {
      plans: new Set(),
      experts: experts !== undefined,
      approvals: approvals !== undefined,
      deadLetters: deadLetters !== undefined,
      messages: has('messages'),
      questions: questions !== undefined,
      sessions: has('sessions'),
      spending: spending !== undefined,
      progress: false,
    };
  }

  /** Rows of plans that are new are read with the next tick. */
  #rebuild(outline: readonly OutlineRow[]): void {
    const before = this.#outline;
    this.#outline = buildOutline(outline, before);
    for (const { plan, row } of this.#outline.nodes.values()) if (row === undefined) this.#touchedPlans.add(plan);
  }

  /** One part that cannot be read hides none of the others. A plan that is gone is told by the outline. */
  async #ask<Name extends RequestName>(
    api: Api,
    name: Name,
    params: RequestParams<Name>,
    signal: AbortSignal,
  ): Promise<RequestResults[Name] | undefined> {
    try {
      return await api.request(name, params, signal);
    } catch (error) {
      if (isRavelError(error, 'plan/unknown')) this.#touchedFacets.add('structure');
      else if (!signal.aborted) this.#parts.onError(error);
      return undefined;
    }
  }
}

const facetsOfLoad = ['approvals', 'deadLetters', 'questions', 'experts', 'sessions', 'spending'] as const;

const nothing: VaultChange = {
  plans: new Set(),
  experts: false,
  approvals: false,
  deadLetters: false,
  messages: false,
  questions: false,
  sessions: false,
  spending: false,
  progress: false,
};

const everything: VaultChange = {
  plans: 'all',
  experts: true,
  approvals: true,
  deadLetters: true,
  messages: true,
  questions: true,
  sessions: true,
  spending: true,
  progress: true,
};

const noExperts: VaultExperts = { rows: [], actors: new Map(), faults: [] };

function isOpen({ state }: VaultLink): boolean {
  return state.kind === 'owner' || state.kind === 'client' || state.kind === 'readOnly';
}

async function readRows(
  api: Api,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly PlanRow[]; readonly policyFaults: readonly Diagnostic[] }> {
  const rows: PlanRow[] = [];
  let policyFaults: readonly Diagnostic[] = [];
  let after: QualifiedId | undefined;
  do {
    const params = { limit: rowsAtOnce, ...defined({ after }) };
    const part = await api.request('list', params, signal);
    rows.push(...part.plans);
    policyFaults = part.diagnostics.filter(({ code }) => code.startsWith('policy/'));
    after = part.next;
  } while (after !== undefined);
  return { rows, policyFaults };
}

function expertsOf({ experts, diagnostics }: RequestResults['experts'], actors: readonly ActorRow[]): VaultExperts {
  return { rows: experts, actors: new Map(actors.map((row) => [row.actor, row])), faults: diagnostics };
}
