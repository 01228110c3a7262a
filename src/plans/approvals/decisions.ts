import { isRavelError, messageOf, type RavelError } from '../../base/errors.ts';
import { createExclusive } from '../../base/exclusiveFile.ts';
import { ensureDirectory, exists, readTextIfExists } from '../../base/files.ts';
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
import { type FilePlaces, readOfMonths } from '../../vault/monthFolders.ts';
import { formatYaml, parseYaml } from '../../yaml/yaml.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';

type DecisionPorts = Pick<PlanServices, 'disk' | 'layout'>;

/** A person's answer. */
export interface Answer {
  readonly decision: AnswerWord;
  readonly option?: string | undefined;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  /** Accepts although something speaks against it. */
  readonly override?: boolean | undefined;
}

/**
 * Writes `decisions/<ulid>.yaml`, with everything that the person saw. From here on the decision holds, whatever happens
 * to its effect. Returns undefined where somebody else decided first.
 */
export async function recordDecision(
  services: PlanServices,
  approval: Approval,
  answer: Answer,
): Promise<Decision | undefined> {
  const { decision: word, option, text, reason, override } = answer;
  const decision: Decision = {
    ...approval,
    ...{ decision: word, by: services.person, at: timestamp(services) },
    ...(option !== undefined && { option }),
    ...(text !== undefined && { text }),
    ...(reason !== undefined && { reason }),
    ...(override !== undefined && { override }),
  };
  await ensureDirectory(services.disk, services.layout.decisions);
  const file = services.layout.decision(approval.id);
  return (await createExclusive(services.disk, file, formatYaml(decision))) ? decision : undefined;
}

export function emitDecision(services: PlanServices, { id, plan, kind, decision, by }: Decision): void {
  emitFor(services, plan ?? 'vault', { type: 'approval.decided', approval: id, kind, decision, by });
}

/** How a question was answered, however long ago; undefined while it was not. Throws `approval/unreadable`. */
export async function loadDecision({ disk, layout }: DecisionPorts, approval: Ulid): Promise<Decision | undefined> {
  const places = placesOfDecision(layout, approval);
  const unreadable = (problem: string, file: string, cause?: unknown) => {
    const message = `The decision on ${approval} cannot be read: ${problem}`;
    return failure('approval/unreadable', approval, message, { file, ...(cause !== undefined && { cause }) });
  };
  const found = await readOfMonths(disk, places).catch((error: unknown) => {
    throw unreadable(messageOf(error), places.live, error);
  });
  if (found === undefined) return undefined;
  const { file, text } = found;
  const { value, diagnostics } = parseYaml(text, { file, subject: approval });
  const parsed = decisionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(diagnostics[0]?.message ?? 'It is not what a decision holds.', file);
}

export function placesOfDecision(layout: DecisionPorts['layout'], id: Ulid): FilePlaces {
  return { id, live: layout.decision(id), months: layout.decisionArchive };
}

/**
 * Whether it holds for what is yet to come, so that it stays in `decisions/` however old it is: a rule that was rejected is
 * not suggested again, and whoever removes the leave for programs of a repository takes it back.
 */
export function staysInPlace({ kind, decision }: Decision): boolean {
  return (
    (kind === 'rule-suggestion' && decision === 'reject') || (kind === 'repository-hooks' && decision === 'accept')
  );
}

/**
 * The decisions of one kind in `decisions/`, that on the oldest question first; one that cannot be read is none of them,
 * and neither is one in the archive.
 */
export async function listDecisions(ports: DecisionPorts, kind: ApprovalKind): Promise<Decision[]> {
  const { disk, layout } = ports;
  const found: Decision[] = [];
  for (const id of await listDecisionIds(ports)) {
    // Most decisions are of other kinds, which a look at the text tells sooner than a parser.
    if (!(await readTextIfExists(disk, layout.decision(id)))?.includes(kind)) continue;
    const decision = await loadReadableDecision(ports, id);
    if (decision?.kind === kind) found.push(decision);
  }
  return found.sort(compareAge);
}

/** Ids of decisions outside the archive, in no order. */
export async function listDecisionIds({ disk, layout }: DecisionPorts): Promise<Ulid[]> {
  if (!(await exists(disk, layout.decisions))) return [];
  const entries = await disk.readDirectory(layout.decisions);
  return entries.map(({ name }) => decisionIdOf(name)).filter((id) => id !== undefined);
}

/** Whose decision a file of this name in `decisions/` is. */
export function decisionIdOf(name: string): Ulid | undefined {
  const id = name.replace(/\.yaml$/, '');
  return id !== name && isUlid(id) ? id : undefined;
}

/** As `loadDecision`, for callers that read many: a decision that cannot be read is left out. */
export async function loadReadableDecision(ports: DecisionPorts, id: Ulid): Promise<Decision | undefined> {
  try {
    return await loadDecision(ports, id);
  } catch (error) {
    if (isRavelError(error, 'approval/unreadable')) return undefined;
    throw error;
  }
}

/** For a second answer: who decided and how, and how to go on if the decision was not carried out. */
export function alreadyDecided({ id, decision, by, at, option, reason }: Decision, isCarriedOut = true): RavelError {
  const which = option === undefined ? '' : ` with "${option}"`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} ${answered[decision]} ${id}${which} at ${at}${why}.`;
  return failure('approval/decided', id, message, isCarriedOut ? {} : { help: cutShort });
}

const cutShort =
  'The decision stands. Unless it is being carried out right now, that failed, and the next owner of the vault does it. `ravel shutdown` ends a daemon; any command that decides or runs starts a new owner.';

const answered: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'ran the phase again instead of deciding',
  dismiss: 'dismissed the phase instead of deciding',
  superseded: 'settled by another decision',
};
