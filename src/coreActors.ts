// Builds the supervisor, which delivers messages: it decides what an actor of a vault is.

import { Supervisor } from './actors/supervisor.ts';
import { defined } from './base/defined.ts';
import { createExpertActor, type ExpertActorParts } from './experts/expertActor.ts';
import { isQualifiedId, type QualifiedId } from './model/id.ts';
import { changedBacklog } from './plans/messages/changedBacklog.ts';
import { createPlanActor, type PlanActorParts } from './plans/messages/planActor.ts';
import { replyOnRefusal } from './plans/messages/replyOnRefusal.ts';
import { aboutMessage } from './plans/messages/sendToCurrentName.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import { loadCrashTimes, saveCrashTimes } from './vault/crashTimes.ts';

/**
 * The actors of a vault; only its owner starts them. What an actor is, is decided here and known nowhere below. What is
 * sent is accepted at once, and no plan is given it before it is `recovered`: a note may be for a session that is
 * re-adopted.
 */
export function createSupervisor(
  services: PlanServices,
  { send, registry, ...parts }: Omit<PlanActorParts, 'services'> & ExpertActorParts & Pick<Supervisor, 'send'>,
  recovered: (actor: QualifiedId) => Promise<void>,
): Supervisor {
  const { disk, clock, layout, settings, log, onEvent } = services;
  const limits = settings.actors;
  const supervisor = new Supervisor({
    disk,
    clock,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: {
      activeMax: limits['max-active'],
      idleMs: limits['idle-minutes'] * 60_000,
      crashes: limits.crashes,
      crashWindowMs: limits['crash-window-seconds'] * 1000,
    },
    crashTimes: {
      load: (actor) => loadCrashTimes({ disk, layout }, actor),
      save: (actor, wallMs) => saveCrashTimes({ disk, layout }, actor, wallMs),
    },
    spawn: async (actor) => {
      await recovered(actor);
      const isExpert = actor.startsWith('expert:');
      const behaviour = isExpert
        ? createExpertActor({ registry, answers: parts.answers }, actor)
        : createPlanActor({ services, ...parts }, actor);
      return replyOnRefusal({ services, actors: { send } }, actor, behaviour);
    },
    events: {
      changed(actor, { kind }, reason) {
        emitFor(services, actor, { type: 'actor.changed', state: kind, ...defined({ reason }) });
      },
      handled(message, outcome) {
        emitFor(services, message.to, { type: 'message.handled', ...aboutMessage(message), outcome });
      },
      dead({ id, actor, message, reason }) {
        const messageType = String(message['type']);
        const from = String(message['from']);
        emitFor(services, actor, { type: 'message.dead', message: id, messageType, from, reason: reason.message });
      },
      diagnostic(problem) {
        log.warn(problem.message, { code: problem.code });
        const { subject } = problem;
        if (isQualifiedId(subject)) emitFor(services, subject, { type: 'diagnostic', diagnostic: problem });
      },
    },
  });
  // A message that waits for room in an inbox gets it once another one is triaged or declined, or the backlog is tidied
  // up. The events end with the vault's owner.
  onEvent((event) => {
    const plan = changedBacklog(event);
    if (plan !== undefined) supervisor.resume(plan);
  });
  return supervisor;
}
