import { join, relative, sep } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { hashFile, sha256 } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import { beginningOf, tooLarge } from '../../harness/programFile.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { ExecutorName } from '../../model/settings.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { loadDecision } from '../approvals/decisions.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import type { PlanServices } from '../services.ts';

/** A check of a plan's own, run before work. */
export const preWorkFile = 'pre-work.sh';

/** A file that would run, or that says what would, by its path from the project. */
export interface HookFile {
  readonly path: string;
  readonly sha256: string;
  /** Absent if it is long, no text, or behind a link that leads out of the project. */
  readonly text?: string;
}

export interface HookStart {
  readonly location: PlanLocation;
  readonly phase: ReasoningPhase;
  readonly harness: ExecutorName;
}

/**
 * What a person must allow before this phase may run: programs of the repository that its start would run by itself.
 * Undefined if there are none, and if they were allowed as they are now.
 */
export async function hooksQuestion(
  services: Pick<PlanServices, 'disk' | 'layout' | 'settings' | 'adapters'>,
  start: HookStart,
): Promise<ApprovalQuestion | undefined> {
  const files = await hookFiles(services, start);
  if (files.length === 0) return undefined;
  const hash = hashOf(files);
  if (await isAllowed(services, start.location, hash)) return undefined;
  const names = files.map(({ path }) => path).join(', ');
  const reason = `${start.phase} runs programs of the repository: ${names}.`;
  return { kind: 'repository-hooks', reason, details: { phase: start.phase, hash, files } };
}

/** The run state has only the pointer, `decisions/` has the grant: removing the decision revokes it. */
async function isAllowed(services: VaultPorts, { id }: PlanLocation, hash: string): Promise<boolean> {
  const { hooks = [] } = await loadRunState(services, id);
  for (const { approval } of hooks.filter((allowed) => allowed.hash === hash)) {
    const decision = await loadDecision(services, approval);
    if (decision?.decision !== 'accept' || decision.plan !== id) continue;
    if ((decision.details as { readonly hash?: unknown }).hash === hash) return true;
  }
  return false;
}

function hashOf(files: readonly HookFile[]): string {
  return sha256(JSON.stringify(files.map(({ path, sha256: hash }) => [path, hash])));
}

async function hookFiles(
  services: Pick<PlanServices, 'disk' | 'settings' | 'adapters'>,
  { location, phase, harness }: HookStart,
): Promise<HookFile[]> {
  const { disk, settings, adapters } = services;
  const paths = new Set<string>();
  const script = join(location.directory, preWorkFile);
  if (phase === 'work' && (await isExecutable(disk, script))) {
    paths.add(join(location.ravelDirectory, ...location.id.split('/').slice(1), preWorkFile));
  }
  const adapter = harness === 'person' ? undefined : adapters[harness];
  if (adapter?.repositoryPrograms !== undefined && seesProject.has(phase)) {
    for (const path of await adapter.repositoryPrograms(disk, settings, location.projectDirectory)) paths.add(path);
  }
  const files: HookFile[] = [];
  for (const path of [...paths].sort()) files.push(await describe(disk, location.projectDirectory, path));
  return files;
}

/** Phases whose session works in the project or looks into it; the others see their staging alone. */
const seesProject: ReadonlySet<ReasoningPhase> = new Set(['work', 'analyse-work']);

/** Whether a plan's own check would run: a regular file, or a link to one, that may be executed. */
export async function isExecutable(disk: Disk, path: string): Promise<boolean> {
  const found = await ifThere(path, () => disk.stat(path));
  return found?.kind === 'file' && (found.mode & 0o111) !== 0;
}

/** Bytes of a hook that is compared, and bytes of one that a person is shown. */
const comparedBytesMax = 256 * 1024 * 1024;
const shownBytesMax = 20_000;

async function describe(disk: Disk, project: string, path: string): Promise<HookFile> {
  const name = relative(project, path).split(sep).join('/');
  const real = await disk.realPath(path);
  const { bytes, size } = await beginningOf(disk, path, shownBytesMax);
  if (size > comparedBytesMax) throw tooLarge(path, size, comparedBytesMax);
  if (size > shownBytesMax) return { path: name, sha256: await hashFile(disk, real) };
  const text = bytes.toString('utf8');
  // A link can lead to a key.
  const isShown = isWithin(await disk.realPath(project), real) && Buffer.from(text).equals(bytes);
  return { path: name, sha256: sha256(bytes), ...(isShown && { text }) };
}
