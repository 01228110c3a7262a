import { isRavelError, messageOf, type RavelError } from '../../base/errors.ts';
import { createExclusive } from '../../base/exclusiveFile.ts';
import { ensureDirectory, exists, readTextIfExists } from '../../base/files.ts';
import { commitOwnPaths } from '../../git/vaultRepository.ts';
import {
  type AnswerWord,
  type Approval,
  type ApprovalKind,
  type Decision,
  decisionSchema,
} from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import { formatYaml, parseYaml } from '../../vault/yaml.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';

/** What a person answered. */
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

export function tellDecision(services: PlanServices, { id, plan, kind, decision, by }: Decision): void {
  emitFor(services, plan ?? 'vault', { type: 'approval.decided', approval: id, kind, decision, by });
}

/** Who decided what belongs to the vault's history; a commit that fails takes nothing back. */
export async function commitDecision(services: PlanServices, made: Decision): Promise<void> {
  const { id, kind, plan, subject, decision } = made;
  const { settings, layout, git, vaultCommits } = services;
  if (settings.vault.commit === 'never') return;
  const message = `Record the decision on a ${kind}\n\n${plan ?? subject}: ${decision}`;
  try {
    await vaultCommits.run(() => commitOwnPaths(git, layout.root, [`decisions/${id}.yaml`], message));
  } catch (error) {
    if (!isRavelError(error)) throw error;
    emitFor(services, plan ?? 'vault', {
      type: 'diagnostic',
      diagnostic: { ...error.diagnostic, severity: 'warning' },
    });
  }
}

/** How a question was answered; undefined while it was not. Throws `approval/unreadable`. */
export async function loadDecision(
  { disk, layout }: Pick<PlanServices, 'disk' | 'layout'>,
  approval: Ulid,
): Promise<Decision | undefined> {
  const file = layout.decision(approval);
  const unreadable = (problem: string, cause?: unknown) => {
    const message = `The decision on ${approval} cannot be read: ${problem}`;
    return failure('approval/unreadable', approval, message, { file, ...(cause !== undefined && { cause }) });
  };
  const text = await readTextIfExists(disk, file).catch((error: unknown) => {
    throw unreadable(messageOf(error), error);
  });
  if (text === undefined) return undefined;
  const { value, diagnostics } = parseYaml(text, { file, subject: approval });
  const parsed = decisionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(diagnostics[0]?.message ?? 'It is not what a decision holds.');
}

/** Every decision of one kind, oldest first; one that cannot be read is none of them. */
export async function listDecisions(
  ports: Pick<PlanServices, 'disk' | 'layout'>,
  kind: ApprovalKind,
): Promise<Decision[]> {
  const { disk, layout } = ports;
  if (!(await exists(disk, layout.decisions))) return [];
  const names = (await disk.readDirectory(layout.decisions)).map(({ name }) => name);
  const found: Decision[] = [];
  for (const name of names.filter((name) => /^[0-9A-Z]{26}\.yaml$/.test(name)).sort()) {
    const id = name.slice(0, -'.yaml'.length) as Ulid;
    // Most decisions are of other kinds, which a look at the text tells sooner than a parser.
    if (!(await readTextIfExists(disk, layout.decision(id)))?.includes(kind)) continue;
    try {
      const decision = await loadDecision(ports, id);
      if (decision?.kind === kind) found.push(decision);
    } catch (error) {
      if (!isRavelError(error, 'approval/unreadable')) throw error;
    }
  }
  return found;
}

/** Who decided it and how, for whoever comes second; and how it goes on where it was cut short. */
export function alreadyDecided({ id, decision, by, at, option, reason }: Decision, isCarriedOut = true): RavelError {
  const which = option === undefined ? '' : ` with "${option}"`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} ${answered[decision]} ${id}${which} at ${at}${why}.`;
  return failure('approval/decided', id, message, isCarriedOut ? {} : { help: cutShort });
}

const cutShort =
  'It holds. Unless it is being carried out just now, that failed, and whoever owns the vault next does it: `ravel shutdown` ends a daemon, and any command that decides or runs begins anew.';

const answered: Readonly<Record<AnswerWord, string>> = {
  accept: 'accepted',
  edit: 'edited',
  reject: 'rejected',
  retry: 'ran the phase again instead of deciding',
  dismiss: 'dismissed the phase instead of deciding',
  superseded: 'settled by another decision',
};
