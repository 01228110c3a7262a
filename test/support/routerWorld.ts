import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { NewMessage } from '../../src/model/message.ts';
import { parseTarget, type TargetFields } from '../../src/model/namedTarget.ts';
import type { RoutedMessage, Suggestion, UnroutableMessage } from '../../src/model/routing.ts';
import type { Rule } from '../../src/model/rule.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import { ContentIndex } from '../../src/routing/content/contentIndex.ts';
import { RecentDecisions } from '../../src/routing/history/recentDecisions.ts';
import { RoutingHistory } from '../../src/routing/history/routingHistory.ts';
import { RecipientDirectory } from '../../src/routing/recipientDirectory.ts';
import { compileRules } from '../../src/routing/rules/ruleSet.ts';
import type { TaskLead } from '../../src/routing/scores/calibration.ts';
import { TaskLeads } from '../../src/routing/scores/taskLeads.ts';
import { RoutingKnowledgeBase } from '../../src/routing/steps/knowledge.ts';
import { Router } from '../../src/routing/steps/router.ts';
import type { RouterParts, RouteSessionQuestion } from '../../src/routing/steps/routerParts.ts';
import type { RouteSessionAnswer } from '../../src/routing/steps/routeSteps.ts';
import { loadExperts } from '../../src/vault/expertStore.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { ManualClock } from './manualClock.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** Plans by id, with what they are for. */
export const shopPlans: Readonly<Record<string, string>> = {
  'Shop/project-root': 'Sells things on the web',
  'Shop/project-root/checkout': 'Takes orders and payments',
  'Shop/project-root/search': 'Finds articles by words',
  'Bank/project-root': 'Keeps accounts',
  'Bank/project-root/cards': 'Charges and refunds cards',
  'Mail/project-root': 'Sends letters to customers',
};

export interface RouterWorldOptions {
  readonly plans?: Readonly<Record<string, string>>;
  readonly rules?: readonly Partial<Rule>[];
  readonly settings?: Partial<Settings['routing']>;
  /** What scores say about tasks of plans; without it, what they say about the tasks that there are. */
  readonly taskLeads?: readonly TaskLead[];
}

/** Tasks for which scores were right at this lead, enough of them for a threshold. */
export function rightLeads(lead: number): TaskLead[] {
  return Array.from({ length: 100 }, () => ({ lead, isRight: true, plan: 'Shop/project-root' }));
}

/** What one owner of the vault brings along. */
export interface OwnerOptions {
  /** Without it nothing of the vault is gone on with. */
  readonly isOwner?: boolean;
  /** One that dies takes its owner with it, who is then not waited for. */
  readonly disk?: Disk;
  /** What the session says that is asked; without it nobody is asked. */
  readonly answer?: (
    question: RouteSessionQuestion,
    signal: AbortSignal,
  ) => Promise<RouteSessionAnswer> | RouteSessionAnswer;
  readonly suggestions?: readonly Suggestion[];
  readonly findFacts?: RouterParts['findFacts'];
  /** Why a mailbox does not take a message in just now. */
  readonly refuses?: (message: NewMessage) => Error | undefined;
}

/** A vault on a real disk with a router and what it reaches; mailboxes and approvals outlive an owner. */
export interface RouterWorld {
  readonly layout: VaultLayout;
  readonly clock: ManualClock;
  readonly events: RavelEvent[];
  /** By id, as mailboxes take each in once. */
  readonly mailboxes: Map<string, NewMessage>;
  readonly approvals: Map<Ulid, UnroutableMessage>;
  readonly suggested: Suggestion[];
  /** Sessions that were begun, and those that were ended for a dead owner. */
  readonly asked: RouteSessionQuestion[];
  readonly ended: Ulid[];
  readonly newUlid: () => Ulid;
  open(options?: OwnerOptions): Promise<{ readonly router: Router; readonly history: RoutingHistory }>;
  message(named: TargetFields, more?: Partial<RoutedMessage>): RoutedMessage;
  removePlan(id: string): Promise<void>;
  /** Resolves with the next event that says what became of a message for good. */
  whenRouted(message: Ulid): Promise<Extract<RavelEvent, { type: 'message.routed' }>>;
}

export async function makeRouterWorld(options: RouterWorldOptions = {}): Promise<RouterWorld> {
  const root = await makeTemporaryDirectory();
  const layout = new VaultLayout(join(root, 'vault'));
  const plans = { ...(options.plans ?? shopPlans) };
  await makePlans(root, layout, plans);
  const clock = new ManualClock();
  const next = createUlids(clock);
  const newUlid = () => next() as Ulid;
  const kept = {
    events: [] as RavelEvent[],
    mailboxes: new Map<string, NewMessage>(),
    approvals: new Map<Ulid, UnroutableMessage>(),
    suggested: [] as Suggestion[],
    asked: [] as RouteSessionQuestion[],
    ended: [] as Ulid[],
  };
  const listeners = new Set<(event: RavelEvent) => void>();
  const emit = (event: RavelEvent): void => {
    kept.events.push(event);
    for (const listener of listeners) listener(event);
  };
  const { taskLeads } = options;
  const rules = (options.rules ?? []).map((rule) => ({ enabled: true, ...rule }) as Rule);
  const settings = { ...defaultSettings.routing, ...options.settings };
  return {
    ...{ layout, clock, newUlid },
    ...kept,
    open: (owner = {}) =>
      openRouter({ ...kept, layout, clock, newUlid, emit, plans, rules, settings, taskLeads }, owner),
    message: (named, more = {}) => {
      const id = newUlid();
      const from = toQualifiedId('Shop/project-root');
      return {
        id,
        type: 'dispatch',
        from,
        target: parseTarget(named),
        reason: 'It is theirs',
        body: 'Do it.',
        depth: 0,
        origin: id,
        ...more,
      };
    },
    async removePlan(id) {
      await rm(layout.plan(toQualifiedId(id)), { recursive: true });
    },
    whenRouted: (message) =>
      new Promise((resolve) => {
        const listener = (event: RavelEvent): void => {
          if (event.type !== 'message.routed' || event.message !== message) return;
          listeners.delete(listener);
          resolve(event);
        };
        listeners.add(listener);
      }),
  };
}

interface Kept
  extends Pick<
    RouterWorld,
    'layout' | 'clock' | 'newUlid' | 'mailboxes' | 'approvals' | 'suggested' | 'asked' | 'ended'
  > {
  readonly emit: (event: RavelEvent) => void;
  readonly plans: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  readonly settings: Settings['routing'];
  readonly taskLeads: readonly TaskLead[] | undefined;
}

async function openRouter(kept: Kept, owner: OwnerOptions) {
  const { layout, clock, newUlid, emit, settings, rules, plans, taskLeads: given } = kept;
  const disk = owner.disk ?? nodeDisk;
  const walk = async () => (await walkVault(nodeDisk, layout)).plans;
  const recipients = new RecipientDirectory({
    ...{ disk: nodeDisk, layout, plans: walk },
    experts: () => loadExperts(nodeDisk, layout),
    descriptions: async () => (await walk()).map((plan) => ({ plan, description: plans[plan.id] ?? '' })),
  });
  const recent = new RecentDecisions({ disk, clock, log: silentLogger });
  const history = new RoutingHistory({
    ...{ disk, path: layout.routingHistory },
    onAppended: (record, line) => recent.record(record, line),
  });
  const index = () => recent.ready(history);
  const page = { rules, ruleSet: compileRules(rules) };
  const content = new ContentIndex({ disk: nodeDisk, layout, clock, isWatched: () => false });
  const taskLeads = given === undefined ? new TaskLeads({ content }) : { of: async () => given };
  const ports = { rules: async () => page, recipients, index, content, taskLeads, settings };
  const knowledge = new RoutingKnowledgeBase(ports);
  // What others keep is a change of the disk too, before which an owner can die.
  const changeDisk = () => disk.syncDirectory(layout.runtime);
  const router = new Router({
    ...{ disk, layout, clock, log: silentLogger, settings, newUlid, emit, recipients, history },
    async send(message, { isRepeat }) {
      await changeDisk();
      const refusal = owner.refuses?.(message);
      if (refusal !== undefined) throw refusal;
      if (!isRepeat && kept.mailboxes.has(message.id)) throw new Error(`${message.id} was sent twice`);
      kept.mailboxes.set(message.id, message);
    },
    knowledge: () => knowledge.current(),
    rules: async () => rules,
    async askRouteSession(question, signal) {
      kept.asked.push(question);
      const answer = (await owner.answer?.(question, signal)) ?? ({ kind: 'none', why: 'Nobody is there.' } as const);
      return { answer, suggestions: owner.suggestions ?? [], consulted: [consultedBy(question, answer)] };
    },
    findFacts: owner.findFacts ?? (async () => []),
    endOrphan: async (session) => void kept.ended.push(session),
    async askPerson(question, approval) {
      await changeDisk();
      kept.approvals.set(approval, question);
    },
    async suggest(suggestion) {
      await changeDisk();
      kept.suggested.push(suggestion);
    },
  });
  if (owner.isOwner !== false) await router.open();
  router.resume();
  if (owner.isOwner !== false) await router.resumeDecided();
  // Nothing is written any more when the folder is removed; what a dying disk began is never done.
  if (owner.disk === undefined) onTestFinished(() => router.stop());
  return { router, history };
}

function consultedBy({ pending, session }: RouteSessionQuestion, answer: RouteSessionAnswer) {
  const reasoning =
    answer.kind === 'accept' ? answer.justification : answer.kind === 'reject' ? answer.reason : answer.why;
  return { level: 2, session, scope: pending.scope, durationMs: 5, usd: 0.01, answer: answer.kind, reasoning } as const;
}

async function makePlans(root: string, layout: VaultLayout, plans: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(layout.projects, { recursive: true });
  await mkdir(layout.runtime, { recursive: true });
  for (const project of new Set(Object.keys(plans).map((id) => id.split('/')[0] ?? id))) {
    await mkdir(join(root, project, 'ravel'), { recursive: true });
    await symlink(join(root, project, 'ravel'), layout.project(project));
  }
  for (const [id, description] of Object.entries(plans)) {
    const folder = layout.plan(toQualifiedId(id));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'plan-state.md'), `---\nschema-version: 1\ndescription: ${description}\n---\n`);
  }
}
