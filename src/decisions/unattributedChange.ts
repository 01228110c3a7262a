import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { ensureDirectory, readTextIfExists, removeFileIf, sha256, writeAtomic, writeAtomicIf } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../model/plan.ts';
import { type FinishArgs, finishArgsSchema, finishTool } from '../model/sessionTools.ts';
import { retryPhase } from '../plans/phases/retry.ts';
import { openCallJournal, verdictIn } from '../plans/proposals/callJournal.ts';
import { factsWithoutSource } from '../plans/proposals/facts.ts';
import { attributeToPerson, withPlanLock } from '../plans/proposals/planWriter.ts';
import { judge } from '../plans/proposals/proposal.ts';
import {
  describeUnattributed,
  isLink,
  nothingLeft,
  textWithHash,
  type UnattributedFile,
  unattributedQuestion,
} from '../plans/proposals/unattributed.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../plans/services.ts';
import { loadBase, loadStaged } from '../plans/transaction.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { Asked, DecisionHandler } from './decisionHandler.ts';
import { loadProposal, type WaitingProposal } from './proposalOf.ts';

/** Files of the plan changed without a verb: the person keeps the changes as their own or reverts them. */
export const unattributedChange: DecisionHandler = {
  async ask({ services }, asked) {
    const { transaction, paths, calls } = await loadProposal(services, asked);
    const files = await describeUnattributed(services, transaction, paths);
    return unattributedQuestion(files) ?? (verdictIn(calls)?.kind === 'waiting' ? nothingLeft : undefined);
  },

  async check({ services }, asked, { decision }) {
    const proposal = await loadProposal(services, asked);
    if (decision === 'accept') await checkFolder(services, asked, proposal);
    else for (const file of filesOf(asked)) await textBefore(services, asked, proposal, file);
    const { rejected } = await judgeAgain(services, await proposedTexts(services, proposal), proposal);
    const findings = rejected?.findings ?? [];
    if (findings.length > 0) throw refused(asked, `What the session proposed is refused: ${findings.join('; ')}`);
  },

  async carryOut({ services, runner }, asked, decision, stop) {
    const proposal = await loadProposal(services, asked);
    const folder = services.layout.putAside(asked.location.id, asked.approval.id);
    for (const file of filesOf(asked)) {
      if (decision.decision === 'accept') await keep(services, proposal, file);
      else await putBack(services, asked, proposal, file);
    }
    await acceptProposal(services, proposal, asked);
    const report = await retryPhase(services, runner, { location: asked.location }, stop);
    const did =
      decision.decision === 'accept'
        ? 'The files are kept as yours, and the phase was applied.'
        : `The files were restored, copies of their changed texts are in ${folder}, and the phase was applied.`;
    return { did, report };
  },
};

function filesOf({ approval }: Asked): readonly UnattributedFile[] {
  return (approval.details as { readonly files: readonly UnattributedFile[] }).files;
}

function refused({ approval }: Asked, message: string) {
  return failure('gate/refused', approval.id, message);
}

/** A change that no verb made has to pass the gates that judge files alone; otherwise it does not become the plan's state. */
async function checkFolder(
  services: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'git' | 'storedSecrets'>,
  asked: Asked,
  proposal: WaitingProposal,
): Promise<void> {
  const { transaction, paths } = proposal;
  const directory = services.layout.plan(transaction.plan);
  const current = await loadPlanTexts(services.disk, directory, Object.values(planFiles));
  const base = new Map<PlanFile, string>(current);
  for (const changed of filesOf(asked)) {
    const file = Object.values(planFiles).find((name) => name === changed.file);
    if (file === undefined) continue;
    const was = await textWithHash(services, paths, directory, { file, hash: changed.before ?? undefined });
    if (was === undefined) base.delete(file);
    else base.set(file, was);
  }
  const { events } = judge(
    { ...(await aboutNothing(services, proposal)), base, proposed: current },
    transaction.plan,
    transaction.session,
  );
  const findings = events.flatMap((event) =>
    event.type === 'gate.judged' && folderGates.has(event.gate) && event.outcome === 'reject'
      ? (event.findings ?? [event.gate])
      : [],
  );
  if (findings.length > 0) throw refused(asked, `The files as they stand are refused: ${findings.join('; ')}`);
}

const folderGates: ReadonlySet<string> = new Set(['schema', 'ids', 'dependencies', 'secrets']);

async function aboutNothing(
  services: Pick<PlanServices, 'settings' | 'storedSecrets'>,
  { transaction: { phase, task } }: WaitingProposal,
) {
  return {
    ...{ phase, outcome: 'done' as const, summary: '', verbsUsed: [], unattributed: [], dreamMap: {} },
    facts: await factsWithoutSource(services),
    ...defined({ task }),
  };
}

async function keep(services: VaultPorts, { transaction }: WaitingProposal, file: UnattributedFile) {
  const hashes = { before: transaction.folder[file.file], after: file.now ?? undefined };
  await attributeToPerson(services, transaction.plan, file.file, hashes);
}

/** The content of the file before the unexplained change; null if it was not there. */
async function textBefore(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  asked: Asked,
  { paths }: WaitingProposal,
  { file, before, now }: UnattributedFile,
): Promise<string | null> {
  if (before === null) return null;
  const directory = services.layout.plan(asked.location.id);
  const text = await textWithHash(services, paths, directory, { file, hash: before });
  if (text !== undefined && (now === null || !isLink(now))) return text;
  throw refused(asked, `${file} cannot be restored: its earlier text was not kept. Fix it by hand, then accept.`);
}

/** The copy comes first, so that nothing is lost whenever this is cut short. */
async function putBack(
  services: PlanWriterPorts & Pick<PlanServices, 'git'>,
  asked: Asked,
  proposal: WaitingProposal,
  changed: UnattributedFile,
): Promise<void> {
  const { disk, layout } = services;
  const { id } = asked.location;
  const text = await textBefore(services, asked, proposal, changed);
  await withPlanLock(services, id, async () => {
    const path = join(layout.plan(id), changed.file);
    const current = await readTextIfExists(disk, path);
    if (current === (text ?? undefined)) return;
    // A file saved after the question was asked is not the one that they decided on.
    if (changed.now !== (current === undefined ? null : sha256(current))) return;
    if (current !== undefined) {
      const folder = layout.putAside(id, asked.approval.id);
      await ensureDirectory(disk, folder);
      await writeAtomic(disk, join(folder, changed.file), current);
    }
    const seen = current === undefined ? undefined : sha256(current);
    if (text !== null) await writeAtomicIf(disk, path, seen, text);
    else if (seen !== undefined) await removeFileIf(disk, path, seen);
  });
}

async function proposedTexts(services: Pick<PlanServices, 'disk'>, { transaction, paths }: WaitingProposal) {
  const base: PlanTexts = await loadBase(services.disk, paths, transaction.phase);
  return { base, proposed: await loadStaged(services.disk, paths, transaction.phase) };
}

/** As the session's own `finish_phase` was judged, but for the changes that a person has answered for. */
async function judgeAgain(
  services: Pick<PlanServices, 'settings' | 'storedSecrets'>,
  texts: { readonly base: PlanTexts; readonly proposed: PlanTexts },
  proposal: WaitingProposal,
) {
  const { transaction, calls } = proposal;
  const verbsUsed = calls.flatMap(({ verb, args }) => (verb === undefined ? [] : [{ verb, args }]));
  const about = { ...(await aboutNothing(services, proposal)), ...texts, ...finishOf(proposal), verbsUsed };
  return judge(about, transaction.plan, transaction.session);
}

function finishOf({ calls }: WaitingProposal): FinishArgs {
  const last = calls.findLast(({ finish }) => finish !== undefined);
  const parsed = finishArgsSchema.safeParse(last?.args);
  return parsed.success ? parsed.data : { outcome: 'done', summary: 'A person answered for what had changed.' };
}

/** The session's end counts as accepted from here on; if it was already, nothing is left to say. */
async function acceptProposal(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'settings' | 'emit' | 'storedSecrets'>,
  proposal: WaitingProposal,
  { approval }: Asked,
): Promise<void> {
  const { transaction, paths, calls } = proposal;
  if (verdictIn(calls)?.kind !== 'waiting') return;
  const { events } = await judgeAgain(services, await proposedTexts(services, proposal), proposal);
  for (const event of events) {
    emitFor(services, transaction.plan, event);
  }
  const journal = await openCallJournal(services.disk, paths, services.layout.session(transaction.session));
  try {
    const finish = finishOf(proposal);
    const result = { text: 'A person accepted what had held the phase up.', isError: false };
    const record = { call: `approval ${approval.id}`, tool: finishTool, args: { ...finish }, result };
    await journal.commit({ ...record, finish: { kind: 'accepted', finish } }, new Map());
  } finally {
    await journal.close();
  }
}
