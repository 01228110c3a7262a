// Builds the parts of an open vault, in the order of their dependencies: this file says who gets what.

import { join } from 'node:path';
import { defined } from './base/defined.ts';
import type { Disk } from './base/disk.ts';
import type { Journal } from './base/journal.ts';
import { maskedLogger } from './base/log.ts';
import { createSupervisor } from './coreActors.ts';
import { CoreEvents } from './coreEvents.ts';
import { createAnswering } from './coreExperts.ts';
import { BackgroundIngestion } from './coreIngestion.ts';
import { createKnowledge, createSessionKnowledge } from './coreKnowledge.ts';
import { MessageBus } from './coreMessages.ts';
import { createRouting, createVaultApprovalHandlers } from './coreRouting.ts';
import { createServices, type ServiceOptions } from './coreServices.ts';
import { ApprovalService } from './decisions/approvalService.ts';
import { maskStoredIn } from './gates/secrets/maskSecrets.ts';
import type { AcceptParts } from './goals/acceptPlans.ts';
import { CatalogWriter } from './housekeeping/catalogWriter.ts';
import { followSettings } from './housekeeping/followSettings.ts';
import { Relocations } from './housekeeping/relocations.ts';
import type { MeaningRanker } from './knowledge/meaning/meaningRanker.ts';
import { VaultSearch } from './knowledge/search/vaultSearch.ts';
import { UseJournal } from './knowledge/uses/useJournal.ts';
import { askQuestion, replyToQuestion } from './plans/messages/askQuestion.ts';
import { sendToCurrentName } from './plans/messages/sendToCurrentName.ts';
import { type Rehearsal, withholding } from './plans/messages/withholding.ts';
import { createConsultations } from './plans/phases/consultationsOfPlans.ts';
import { ManualRuns } from './plans/phases/manualRuns.ts';
import { PhaseRunner } from './plans/phases/phaseRunner.ts';
import { Recovery } from './plans/phases/recovery.ts';
import { RunLocks } from './plans/phases/runLocks.ts';
import { Spending } from './plans/phases/spending.ts';
import { WorkTrees } from './plans/phases/workTrees.ts';
import { PlanDirectory } from './plans/planDirectory.ts';
import type { PlanServices } from './plans/services.ts';
import { LiveSessions } from './plans/sessions/liveSessions.ts';
import { createSecretKeeper } from './plans/storedSecrets.ts';
import { EntryThread } from './vault/entryThread.ts';
import type { VaultLayout } from './vault/layout.ts';
import type { LiveSettings } from './vault/liveSettings.ts';
import { VaultScanner } from './vault/vaultScanner.ts';

export interface PartsOptions extends ServiceOptions {
  readonly version: string;
  /** The vault is a copy on which a plan is rehearsed: its messages are told here and not sent. */
  readonly rehearsal?: Rehearsal | undefined;
}

/** What only the owner of a vault has. */
export interface OwnerRights {
  readonly ledger: Journal;
  readonly meaning: MeaningRanker;
  /** Rejects once another process has taken the vault. */
  readonly assertOwned: () => Promise<void>;
}

/** A vault that can be read and, with the rights of its owner, changed. */
export interface PartsVault {
  readonly layout: VaultLayout;
  readonly liveSettings: LiveSettings;
  readonly disk: Disk;
  readonly rights?: OwnerRights;
}

export type CoreParts = ReturnType<typeof createParts>;

/** What serves requests, for an owner and a reader alike. Nothing of it begins anything by itself. */
export function createParts(options: PartsOptions, vault: PartsVault) {
  const { services, ...base } = createBase(options, vault);
  const { directory, scanner, spending, consultations, vaultSearch, entryThread, events } = base;
  const { transcripts, history } = events;
  const bus = new MessageBus();
  const answerWaitMs = services.settings.limits['answer-minutes'] * 60_000;
  const uses = new UseJournal(services.disk, services.layout.uses, { aside: services.layout.usesAside });
  const answering = createAnswering(services, { directory, vaultSearch, actors: { send: bus.send }, uses });
  const { registry, receipts, answers, situationOf } = answering;
  const trees = new WorkTrees(services, (plan) => live.manualRun(plan)?.transaction.phase);
  const knowledge = createKnowledge(services, { directory, trees, uses, vaultSearch, thread: entryThread });
  const withheld = options.rehearsal && withholding(options.rehearsal);
  const live: LiveSessions = new LiveSessions(services, {
    knowledge: createSessionKnowledge(knowledge, vaultSearch),
    ask: (question, signal) =>
      withheld?.ask(question, signal) ?? askQuestion({ services, post: bus.router }, question, answerWaitMs, signal),
    reply: (reply, signal) => replyToQuestion({ services, answers }, reply, answerWaitMs, signal),
  });
  const actors = createSupervisor(services, { live, answers, registry, send: bus.send }, bus.settled);
  const sendNow = sendToCurrentName(services, actors);
  const send = withheld?.send(sendNow) ?? sendNow;
  const program = join(options.packageRoot, 'dist', 'history.mjs');
  const routing = createRouting(services, { directory, scanner, registry, send, program, version: options.version });
  const post = withheld?.router ?? routing.router;
  const locks = new RunLocks({ services, actors, trees });
  const shared = { services, directory, locks, live };
  const runner = new PhaseRunner({ ...shared, transcripts, trees, spending, actors: { send }, post });
  const manualRuns = new ManualRuns({ ...shared, runner });
  const recovery = new Recovery({ ...shared, runner, actors: { send } });
  bus.connect({ send, router: post, settled: (actor) => recovery.of(actor) });
  const ingestion = new BackgroundIngestion(services, { directory, answering, knowledge, vaultSearch });
  const catalog = new CatalogWriter({ services, directory, scanner });
  const relocations = new Relocations({ ...shared, mailboxes: actors });
  const makePlans: Omit<AcceptParts, 'services'> = {
    makeAll: (plans, work) => relocations.makeAll(plans, work),
    refreshCatalog: () => catalog.refresh(),
  };
  const vaultApprovals = createVaultApprovalHandlers(services, { routing, knowledge, ingestion, makePlans });
  const approvals = new ApprovalService({ ...shared, runner, vaultApprovals });
  return {
    ...{ ...shared, ...base, liveSettings: vault.liveSettings, version: options.version },
    shipped: join(options.packageRoot, 'shipped'),
    ...{ transcripts, history, spending, consultations, events: events.told, record: events },
    ...{
      knowledge,
      ingestion,
      actors,
      send,
      answers,
      routing,
      runner,
      manualRuns,
      recovery,
      vaultApprovals,
      approvals,
      catalog,
      relocations,
      trees,
    },
    ...{ registry, receipts, situationOf, ingester: () => ingestion.ingester() },
  };
}

/** Services, and what consultations need. */
function createBase(given: PartsOptions, { layout, liveSettings, disk, rights }: PartsVault) {
  const { clock, environment, packageRoot, version } = given;
  const secrets = createSecretKeeper({ disk, clock, environment, ...defined({ spawn: given.spawn }) });
  const withoutSecrets: PlanServices['withoutSecrets'] = (value) => maskStoredIn(value, secrets.known());
  const log = maskedLogger(given.log, withoutSecrets);
  const options = { ...given, log };
  const { settings } = liveSettings;
  const events = new CoreEvents(
    { disk, layout, settings, log, withoutSecrets, knowsSecrets: () => !secrets.known().isEmpty },
    rights !== undefined,
  );
  const telling = { clock, layout, log, emit: events.emit, onEvent: events.told.event };
  const followed = followSettings(telling, liveSettings);
  const ports = createServices(options, {
    ...{ layout, settings, disk, events, secrets, withoutSecrets },
    ...(rights !== undefined && { ...rights, refreshSettings: followed.refresh }),
  });
  const directory = new PlanDirectory(disk, layout);
  const spending = new Spending(ports);
  const consultations = createConsultations(ports, { directory, spending, transcripts: events.transcripts });
  const services: PlanServices = {
    ...ports,
    consult: (request, signal) => consultations.run(request, signal),
    endOrphan: (session) => consultations.endOrphan(session),
  };
  const readers = { disk, layout, clock, log, version };
  const scanner = new VaultScanner({ ...readers, program: join(packageRoot, 'dist', 'scan.mjs') });
  const vaultSearch = new VaultSearch({
    ...{ ...readers, program: join(packageRoot, 'dist', 'search.mjs') },
    ...defined({ meaning: rights?.meaning }),
  });
  const entryThread = new EntryThread({ ...readers, program: join(packageRoot, 'dist', 'entries.mjs') });
  return { services, events, followed, directory, spending, consultations, scanner, vaultSearch, entryThread };
}
