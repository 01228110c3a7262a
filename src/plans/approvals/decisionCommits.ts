import { basename, relative } from 'node:path';
import { isRavelError } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import { commitOwnPaths, untrackedPaths } from '../../git/vaultRepository.ts';
import type { Decision } from '../../model/approval.ts';
import type { EventActor } from '../../model/event.ts';
import { emitFor, type PlanServices } from '../services.ts';
import { decisionFolder } from './decisions.ts';

/** Decisions and their authors belong to the vault's history; a commit that fails takes nothing back. */
export async function commitDecision(services: PlanServices, made: Decision): Promise<void> {
  if (services.settings.vault.commit === 'never') return;
  await orWarn(services, made.plan ?? 'vault', () => commitDecisions(services, [made]));
}

/** Commits the decisions that a crash came before the commit of: they are on disk, and git does not know them. */
export async function commitUncommittedDecisions(services: PlanServices): Promise<void> {
  const { settings, layout, git } = services;
  if (settings.vault.commit === 'never') return;
  await orWarn(services, 'vault', async () => {
    const folder = decisionFolder(services);
    if ((await folder.list()).length === 0) return;
    const left: Decision[] = [];
    for (const path of await untrackedPaths(git, layout.root, relative(layout.root, layout.decisions))) {
      const id = folder.idOf(basename(path));
      const decision = id === undefined ? undefined : await folder.loadUndamaged(id);
      if (decision !== undefined) left.push(decision);
    }
    if (left.length > 0) await commitDecisions(services, left);
  });
}

/** Number of paths that one call of git gets. */
const movedAtOnce = 500;

/** Commits the moves of decisions into the archive, also those that a crash came before the commit of. */
export async function commitArchivedDecisions(
  services: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'git' | 'vaultCommits'>,
): Promise<void> {
  const { settings, disk, layout, git, vaultCommits } = services;
  if (settings.vault.commit === 'never' || !(await exists(disk, layout.decisionArchive))) return;
  const inArchive = await untrackedPaths(git, layout.root, relative(layout.root, layout.decisionArchive));
  const folder = decisionFolder(services);
  const moves = inArchive.flatMap((to) => {
    const id = folder.idOf(basename(to));
    return id === undefined ? [] : [[relative(layout.root, layout.decision(id)), to]];
  });
  for (let from = 0; from < moves.length; from += movedAtOnce) {
    const some = moves.slice(from, from + movedAtOnce);
    const title = `Archive ${some.length === 1 ? 'a decision' : `${some.length} decisions`}`;
    await vaultCommits.run(() => commitOwnPaths(git, layout.root, some.flat(), title));
  }
}

async function commitDecisions(
  services: Pick<PlanServices, 'layout' | 'git' | 'vaultCommits'>,
  made: readonly Decision[],
): Promise<void> {
  const { layout, git, vaultCommits } = services;
  const lines = made.map(({ plan, subject, decision }) => `${plan ?? subject}: ${decision}`);
  const title = made.length === 1 ? `Record a decision: ${made[0]?.kind}` : `Record ${made.length} decisions`;
  const paths = made.map(({ id }) => relative(layout.root, layout.decision(id)));
  await vaultCommits.run(() => commitOwnPaths(git, layout.root, paths, `${title}\n\n${lines.join('\n')}`));
}

async function orWarn(
  services: Pick<PlanServices, 'clock' | 'emit'>,
  actor: EventActor,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    emitFor(services, actor, { type: 'diagnostic', diagnostic: { ...error.diagnostic, severity: 'warning' } });
  }
}
