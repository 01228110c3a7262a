import { isAbsolute, join, normalize } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ifThere, namesNothing } from '../../base/diskErrors.ts';
import { changedPaths, commitsSince, diffSince } from '../../git/snapshot.ts';
import type { Ulid } from '../../model/id.ts';
import type { PlanTexts } from '../../model/plan.ts';
import { planFiles } from '../../model/plan.ts';
import { type Evidence, sessionRecordSchema } from '../../model/session.ts';
import type { ProposalFacts } from '../../model/verdict.ts';
import { projectPaths } from '../../vault/layout.ts';
import type { WorkBaseline } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { readYaml } from '../../yaml/yaml.ts';
import type { PlanServices } from '../services.ts';
import { transcriptEvents } from '../transcriptFile.ts';
import { commandsOf } from './digest.ts';

export const noFacts: ProposalFacts = {
  diff: '',
  existingFiles: new Set(),
  commits: [],
  commands: [],
  changedPaths: [],
};

/** For a judgement that the source has no part in. */
export async function factsWithoutSource({
  settings,
  storedSecrets,
}: Pick<PlanServices, 'settings' | 'storedSecrets'>): Promise<ProposalFacts> {
  return { ...noFacts, allowedSecrets: settings.gates['allowed-secrets'], storedSecrets: await storedSecrets() };
}

/** What code knows about the source since work began: the yardstick for every claim of an analysis. */
export async function gatherFacts(
  services: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'git' | 'storedSecrets'>,
  location: PlanLocation,
  work: { readonly baseline: WorkBaseline | undefined; readonly session: Ulid | undefined },
  proposed: PlanTexts,
): Promise<ProposalFacts> {
  const { git, disk } = services;
  const directory = location.projectDirectory;
  const commit = work.baseline?.commit;
  const exclude = [projectPaths.ravel];
  const transcript = work.session === undefined ? [] : transcriptEvents(services, work.session);
  const dirty = new Set(work.baseline?.dirty.map((entry) => entry.path));
  return {
    diff: await diffSince(git, directory, commit, exclude),
    existingFiles: await existingOf(disk, directory, evidencePaths(proposed)),
    commits: (await commitsSince(git, directory, commit)).map((made) => made.hash),
    commands: await commandsOf(transcript),
    dirtyBefore: [...dirty],
    allowedSecrets: services.settings.gates['allowed-secrets'],
    storedSecrets: await services.storedSecrets(),
    changedPaths: (await changedPaths(git, directory, commit, exclude)).filter((path) => !dirty.has(path)),
  };
}

function evidencePaths(texts: PlanTexts): string[] {
  const text = texts.get(planFiles.latestSession);
  if (text === undefined) return [];
  const { value } = readYaml(sessionRecordSchema, text, { file: planFiles.latestSession, subject: '' });
  const evidence = (value?.claims ?? []).flatMap((claim) => claim.evidence ?? []);
  return evidence.flatMap((piece) => pathOf(piece) ?? []);
}

function pathOf(evidence: Evidence): string | undefined {
  if ('path' in evidence) return evidence.path;
  return 'file' in evidence ? evidence.file : undefined;
}

async function existingOf(disk: Disk, directory: string, paths: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (const path of new Set(paths.map((named) => normalize(named)))) {
    if (isAbsolute(path) || path.startsWith('..')) continue;
    if (await isFile(disk, join(directory, path))) existing.add(path);
  }
  return existing;
}

/** What the system does not tell is an error: a claim must not fall because a disk did. */
async function isFile(disk: Disk, path: string): Promise<boolean> {
  const found = await ifThere(path, () => disk.lstat(path), namesNothing);
  return found?.kind === 'file';
}
