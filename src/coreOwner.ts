// What the owner of a vault does by itself, in the background.

import { settleAll } from './base/async.ts';
import { isRavelError, messageOf } from './base/errors.ts';
import type { OwnWrites } from './base/ownWrites.ts';
import type { CoreParts } from './coreParts.ts';
import { OwnerStart } from './coreStart.ts';
import { gapFolder, gapsMax } from './experts/gaps.ts';
import { removeOldIngestions } from './experts/ingestion/ingestions.ts';
import { reportStaleAnswers } from './experts/staleAnswers.ts';
import { createChores } from './housekeeping/chores.ts';
import { ensureSearchFile } from './housekeeping/ensureSearchFile.ts';
import { type Chore, Housekeeper } from './housekeeping/housekeeper.ts';
import { logLineOf } from './housekeeping/logEvents.ts';
import { OutsideChanges } from './housekeeping/outsideChanges.ts';
import type { PagesWriter } from './housekeeping/pages/pagesWriter.ts';
import { StartupVerification } from './housekeeping/startupVerification.ts';
import { ViewKeeper } from './housekeeping/viewKeeper.ts';
import { isDeferred } from './model/approval.ts';
import type { OwnerOptions } from './model/ownerOptions.ts';
import { beginNotifier, type NotifierWorld } from './notifications/beginNotifier.ts';
import { NoticeClaims } from './notifications/noticeClaims.ts';
import type { Notifier, QuestionForPerson } from './notifications/notifier.ts';
import { listApprovals, loadApproval } from './plans/approvals/approvals.ts';
import { loadDecision } from './plans/approvals/decisions.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import type { Ownership } from './vault/ownership.ts';
import { VaultWatch } from './vault/vaultWatch.ts';
import type { WatchTree } from './vault/watcher.ts';

interface OwnerParts extends Pick<OwnerOptions, 'backgroundAfter' | 'verifiesItself'> {
  /** What notifications are sent with; absent if none are, as in a rehearsal. */
  readonly world?: NotifierWorld | undefined;
  readonly parts: CoreParts;
  readonly ownership: Ownership;
  /** Absent if nothing is watched. */
  readonly watching?: { readonly own: OwnWrites; readonly watchTree: WatchTree } | undefined;
}

interface OwnWork {
  readonly outside: OutsideChanges;
  readonly notifier: Notifier | undefined;
  readonly claims: NoticeClaims;
}

/** What the owner of a vault does by itself: settles what an earlier one left, watches the vault and keeps it tidy. */
export class OwnerWork {
  readonly start: OwnerStart;
  readonly watch: VaultWatch | undefined;
  /** Which window tells what. */
  readonly claims: NoticeClaims;
  readonly #parts: CoreParts;
  readonly #verification: StartupVerification | undefined;
  readonly #housekeeper: Housekeeper;
  readonly #outside: OutsideChanges;
  readonly #views: ViewKeeper;
  readonly #notifier: Notifier | undefined;
  #searchable: Promise<void> = Promise.resolve();
  #pages: Promise<PagesWriter | undefined> = Promise.resolve(undefined);
  #isStopping = false;

  private constructor({ parts, watching, verifiesItself }: OwnerParts, own: OwnWork, start: OwnerStart) {
    const { outside, notifier, claims } = own;
    this.#notifier = notifier;
    this.claims = claims;
    const { services, directory, scanner, locks, consultations } = parts;
    this.#parts = parts;
    this.#outside = outside;
    this.#views = new ViewKeeper(parts);
    parts.record.written.event((plan) => this.#views.take(plan));
    this.start = start;
    this.watch = watching === undefined ? undefined : createWatch(services, { ...watching, outside });
    this.#verification = verifiesItself === true ? undefined : new StartupVerification({ services, scanner });
    this.#housekeeper = new Housekeeper({
      services,
      isIdle: () => locks.isEmpty && consultations.isIdle,
      chores: [
        ...createChores(services, directory, (plan) => locks.has(plan)),
        deferredQuestions(parts),
        staleAnswers(parts),
        oldIngestions(parts),
        oldAnswers(parts),
      ],
    });
  }

  /** Resolves once requests can be served; the rest is done in the background. */
  static async begin(options: OwnerParts): Promise<OwnerWork> {
    const { parts, ownership, backgroundAfter } = options;
    const { services, events, version } = parts;
    const { log, layout } = services;
    log.info('owns the vault', { version, vault: layout.root });
    events.event((event) => {
      const line = logLineOf(event);
      if (line !== undefined) log[line.level](line.message, line.fields);
    });
    const { world } = options;
    const notifier =
      world && (await beginNotifier({ ...services, ...world, openQuestions: () => openQuestions(services) }));
    if (notifier !== undefined) events.event((event) => notifier.take(event));
    const claims = new NoticeClaims(services);
    events.event((event) => claims.take(event));
    const outside = new OutsideChanges(parts);
    const work = new OwnerWork(options, { outside, notifier, claims }, await OwnerStart.begin(parts));
    void ownership.lost.then(({ diagnostic }) => {
      log.error(diagnostic.message, { code: diagnostic.code });
      emitFor(services, 'vault', { type: 'diagnostic', diagnostic });
    });
    const begin = backgroundAfter?.catch(() => undefined);
    // If nothing is settled nothing is removed or written either; it is told already.
    void Promise.all([work.start.done, begin]).then(
      () => work.#beginBackground(),
      () => undefined,
    );
    return work;
  }

  /** In the background: to read the purpose of every plan of a large vault takes a while, and so does watching it all. */
  #beginBackground(): void {
    if (this.#isStopping) return;
    const { services, catalog, routing } = this.#parts;
    const warning = (message: string) => (error: unknown) => services.log.warn(message, { error: messageOf(error) });
    this.#housekeeper.begin();
    this.#searchable = ensureSearchFile(services).catch(
      warning('searches of an editor do not find the files of plans'),
    );
    void catalog
      .refresh()
      .catch(warning('the catalogue is not up to date'))
      // Not beside it: both read every plan.
      .then(() => this.#verification?.begin());
    this.#parts.ingestion.begin();
    routing.begin({ watches: this.watch !== undefined });
    routing.router.resumeDecided().catch(warning('the routing history cannot be read'));
    void this.watch?.reconcile();
    this.#views.begin();
    this.#pages = beginPages(this.#parts).catch((error: unknown) => {
      warning('there are no pages for readers')(error);
      return undefined;
    });
  }

  /** Begins nothing more in the vault, and looks at it no more. */
  async stopWatching(): Promise<void> {
    this.#isStopping = true;
    const watched = this.watch?.stop() ?? Promise.resolve();
    const verified = this.#verification?.stop() ?? Promise.resolve();
    const notified = this.#notifier?.stop() ?? Promise.resolve();
    await settleAll([watched, this.#outside.stop(), verified, this.#searchable, notified, this.claims.settled()]);
  }

  /** What people read says what the files say before the vault is released. */
  stopHousekeeping(): Promise<void> {
    const pages = this.#pages.then((writer) => writer?.stop());
    return settleAll([this.#housekeeper.stop(), this.#views.stop(), pages]);
  }
}

/** Loaded when it begins: what opens a vault does not wait for it. */
async function beginPages({
  services,
  directory,
  history,
  spending,
  routing,
  events,
}: CoreParts): Promise<PagesWriter> {
  const { PagesWriter } = await import('./housekeeping/pages/pagesWriter.ts');
  const pages = new PagesWriter({ services, directory, history, spending, routes: routing.history });
  events.event((event) => pages.take(event));
  pages.begin();
  return pages;
}

/** For a person who is told of them outside of Ravel. */
async function openQuestions(services: PlanServices): Promise<QuestionForPerson[]> {
  const open: QuestionForPerson[] = [];
  for (const id of await listApprovals(services)) {
    try {
      const approval = await loadApproval(services, id);
      if (approval === undefined || isDeferred(approval, services.clock.wallMs())) continue;
      if ((await loadDecision(services, id)) !== undefined) continue;
      open.push({ approval: id, actor: approval.plan ?? 'vault', subject: approval.subject });
    } catch (error) {
      // One that cannot be read is told by those who list them, and hides none of the others.
      if (!isRavelError(error, 'approval/unreadable')) throw error;
    }
  }
  return open;
}

/** Lists show them again by themselves; this tells who listens. */
function deferredQuestions({ approvals }: CoreParts): Chore {
  return {
    name: 'Deferred questions',
    async run() {
      await approvals.askDeferredAgain();
      return { removed: 0, bytes: 0, problems: [] };
    },
  };
}

/** Tells plans which of their answers rest on entries that have changed. */
function staleAnswers({ services, receipts, send }: CoreParts): Chore {
  return {
    name: 'Answers that are out of date',
    async run(signal) {
      await reportStaleAnswers({ ports: services, receipts, actors: { send } }, signal);
      return { removed: 0, bytes: 0, problems: [] };
    },
  };
}

/** Keeps the number of receipts and of unanswered questions within bounds. */
function oldAnswers({ services, receipts, directory }: CoreParts): Chore {
  return {
    name: 'Receipts and gaps',
    async run(signal) {
      const plans = new Set<string>((await directory.all()).plans.map(({ id }) => id));
      const receiptsRemoved = await receipts.removeOldest(plans, signal);
      const removed = receiptsRemoved + (await gapFolder(services).keepNewest(gapsMax));
      return { removed, bytes: 0, problems: [] };
    },
  };
}

/** Removes what is kept of cycles whose statements all have their place. */
function oldIngestions({ services }: CoreParts): Chore {
  return {
    name: 'Records of what plans learned',
    async run() {
      const removed = await removeOldIngestions(services, services.settings.retention.days);
      return { removed, bytes: 0, problems: [] };
    },
  };
}

/** Notices what others change in the vault. */
function createWatch(
  services: PlanServices,
  parts: { readonly own: OwnWrites; readonly outside: OutsideChanges; readonly watchTree: WatchTree },
): VaultWatch {
  const { disk, layout, clock, log, settings } = services;
  const { own, outside, watchTree } = parts;
  return new VaultWatch({
    ...{ disk, layout, clock, own, watchTree },
    reconcileMs: settings.watch['reconcile-seconds'] * 1000,
    onChanges: (changes) => outside.apply(changes),
    onDiagnostic(problem) {
      log.warn(problem.message, { code: problem.code });
      emitFor(services, 'vault', { type: 'diagnostic', diagnostic: problem });
    },
    onError: (error) => log.warn('the vault could not be scanned', { error: messageOf(error) }),
  });
}
