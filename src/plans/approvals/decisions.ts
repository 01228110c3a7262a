import { defined } from '../../base/defined.ts';
import type { RavelError } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import { RecordFolder } from '../../base/recordFolder.ts';
import {
  type AnswerWord,
  type Approval,
  type ApprovalKind,
  compareAge,
  type Decision,
  decisionSchema,
} from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import { type FilePlaces, readOfMonths } from '../../vault/monthFolders.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { yamlText } from '../../yaml/yamlText.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';

/** A person's answer. */
export interface PersonsAnswer {
  readonly decision: AnswerWord;
  readonly option?: string | undefined;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  /** Accepts although something speaks against it. */
  readonly override?: boolean | undefined;
  /** The parts that are accepted, if not all are. */
  readonly only?: readonly string[] | undefined;
}

/**
 * Writes `decisions/<ulid>.yaml`, with everything that the person saw. From here on the decision holds, whatever happens
 * to its effect. Returns undefined if another decision came first.
 */
export async function recordDecision(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'person'>,
  approval: Approval,
  answer: PersonsAnswer,
): Promise<Decision | undefined> {
  const { decision: word, option, text, reason, override, only } = answer;
  const decision: Decision = {
    ...approval,
    ...{ decision: word, by: services.person, at: timestamp(services) },
    ...defined({ option, text, reason, override, only: only && [...only] }),
  };
  return (await decisionFolder(services).create(approval.id, decision)) ? decision : undefined;
}

export function emitDecision(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  { id, plan, kind, decision, by }: Decision,
): void {
  emitFor(services, plan ?? 'vault', { type: 'approval.decided', approval: id, kind, decision, by });
}

/** How a question was answered, however long ago; undefined while it was not. Throws `approval/unreadable`. */
export function loadDecision(ports: VaultPorts, approval: Ulid): Promise<Decision | undefined> {
  return decisionFolder(ports).load(approval);
}

/** `decisions/<ulid>.yaml`, and older ones in the archive. */
export function decisionFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Decision> {
  return new RecordFolder({
    ...{ disk, folder: layout.decisions, text: yamlText, schema: decisionSchema, coversRefusals: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    find: (id) => readOfMonths(disk, placesOfDecision(layout, id)),
    unreadable: unreadableRecord('approval/unreadable', 'what a decision holds'),
  });
}

export function placesOfDecision(layout: VaultPorts['layout'], id: Ulid): FilePlaces {
  return { id, live: layout.decision(id), months: layout.decisionArchive };
}

/**
 * Whether it holds for what is yet to come, so that it stays in `decisions/` however old it is: a rule that was rejected is
 * not suggested again, and removing the permission for a repository's programs withdraws it.
 */
export function isStillInForce({ kind, decision }: Decision): boolean {
  return (
    (kind === 'rule-suggestion' && decision === 'reject') || (kind === 'repository-hooks' && decision === 'accept')
  );
}

/**
 * The decisions of one kind in `decisions/`, that on the oldest question first; one that cannot be read is left out,
 * and neither is one in the archive.
 */
export async function listDecisions(ports: VaultPorts, kind: ApprovalKind): Promise<Decision[]> {
  const folder = decisionFolder(ports);
  const found: Decision[] = [];
  for (const id of await folder.list()) {
    // Most decisions are of other kinds, which a look at the text tells sooner than a parser.
    if (!(await readTextIfExists(ports.disk, folder.fileOf(id)))?.includes(kind)) continue;
    const decision = await folder.loadUndamaged(id);
    if (decision?.kind === kind) found.push(decision);
  }
  return found.sort(compareAge);
}

/** For a second answer: who decided and how, and how to go on if the decision was not carried out. */
export function alreadyDecided({ id, decision, by, at, option, reason }: Decision, isCarriedOut = true): RavelError {
  const which = option === undefined ? '' : ` with "${option}"`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} ${answered[decision]} ${id}${which} at ${at}${why}.`;
  return failure('approval/decided', id, message, isCarriedOut ? {} : { help: cutShort });
}

const cutShort =
  'The decision is final. If it is not being carried out right now, that failed, and the next owner of the vault will do it. `ravel shutdown` ends a daemon; any command that decides or runs something starts a new owner.';

const answered: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'ran the phase again instead of deciding',
  dismiss: 'dismissed the phase instead of deciding',
  superseded: 'settled by another decision',
};
