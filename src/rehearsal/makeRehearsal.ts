import { basename, join, posix, relative, sep } from 'node:path';
import { stringify } from 'yaml';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { ensureDirectory, writeAtomic } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import type { ProcessTable } from '../base/processes.ts';
import { formatBytes, plural } from '../base/text.ts';
import { mebibyte } from '../base/units.ts';
import { createGit, type Git } from '../git/git.ts';
import { assertReady, inspectRepository, readHead } from '../git/repository.ts';
import { type CopiedEntry, listFolder, listRepository, type RepositoryContents } from '../git/repositoryContents.ts';
import { storeWorkTree } from '../git/storeWorkTree.ts';
import { failure } from '../model/codes.ts';
import type { HarnessName } from '../model/harnesses.ts';
import { projectOf, type QualifiedId, wholePlanName } from '../model/id.ts';
import type { CopiedPlace, RehearsalCopy, RehearsedSource, StateRecords } from '../model/rehearsal.ts';
import { PlanDirectory } from '../plans/planDirectory.ts';
import { acceptedBy } from '../plans/programBaselines.ts';
import { loadIdentity } from '../vault/identity.ts';
import { projectPaths, VaultLayout } from '../vault/layout.ts';
import { projectPlaceProblem } from '../vault/projectPlace.ts';
import { loadProjects } from '../vault/projects.ts';
import { loadRunState, type RunState, saveRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { copyEntries } from './copyEntries.ts';
import { copyEnvironment } from './copyEnvironment.ts';
import { readPlanRecords } from './planRecords.ts';
import { makeRehearsalFolder, type RehearsalFolder } from './rehearsalFolder.ts';
import { type CopiedRepository, readSource } from './rehearsedSource.ts';
import { listOtherPlans, listVault, readRunStateText } from './vaultContents.ts';

export interface RehearsalPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder for temporary files. */
  readonly temporary: string;
}

export interface CopyRequest {
  /** Absolute path of the vault. */
  readonly vault: string;
  /** The plan as a person names it. */
  readonly plan: string;
  readonly harness: HarnessName;
  /** Bytes that are copied at most. */
  readonly bytesMax: number;
  /** What is being copied, before it is. */
  readonly onCopying?: ((size: { readonly files: number; readonly bytes: number }) => void) | undefined;
}

/** A plan's project and vault on a copy, in which the plan can run. */
export interface MadeRehearsal {
  readonly plan: QualifiedId;
  /** Folder of the original project. */
  readonly project: string;
  /** The copied vault, absolute. */
  readonly vault: string;
  readonly places: readonly CopiedPlace[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly outside?: string;
  readonly copy: RehearsalCopy;
  readonly folder: RehearsalFolder;
  /** What has become of the source by now. */
  source(): Promise<RehearsedSource>;
  records(): Promise<StateRecords>;
}

/** Free bytes that stay beside the copy, for what a cycle writes. */
const spareBytes = 64 * mebibyte;

/**
 * Copies a plan's project and what a cycle reads of its vault into a folder below the temporary one. The originals are
 * only read. Throws what keeps the plan from running, `rehearsal/tooLarge`, `rehearsal/changed` if they were changed in
 * the middle, and `disk/full`; then nothing is left.
 */
export async function makeRehearsal(
  ports: RehearsalPorts,
  request: CopyRequest,
  signal: AbortSignal,
): Promise<MadeRehearsal> {
  const startedMs = ports.clock.monotonicMs();
  const original = await readOriginal(ports, request, signal);
  const { entries } = original;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  await assertFits(ports, original, bytes, request.bytesMax);
  request.onCopying?.({ files: entries.length, bytes });
  const folder = await makeRehearsalFolder(ports, ports.temporary, original.vaultPlace);
  try {
    const env = copyEnvironment(ports.environment, {
      ...{ folder: folder.path, vault: original.layout.root, harness: request.harness },
    });
    const git = createGit({ ...ports, environment: env.environment });
    const repository = await fill({ ports, git, original, folder }, signal);
    const { location } = original;
    return {
      plan: location.id,
      project: location.projectDirectory,
      vault: join(folder.path, original.vaultPlace),
      places: placesOf(original, folder.path),
      ...env,
      copy: {
        files: entries.length,
        bytes,
        durationMs: ports.clock.monotonicMs() - startedMs,
        leftOut: [...original.contents.leftOut].sort(),
      },
      folder,
      source: () => readSource(git, repository),
      records: () =>
        readPlanRecords(ports.disk, new VaultLayout(join(folder.path, original.vaultPlace)).plan(location.id)),
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** What is to be copied, with places relative to the rehearsal's folder. */
interface Original {
  readonly layout: VaultLayout;
  readonly location: PlanLocation;
  readonly state: RunState;
  readonly stateText: string | undefined;
  /** Top of the project's repository, and where the project lies below it: '' or 'a/b'. */
  readonly root: string;
  readonly prefix: string;
  readonly contents: RepositoryContents;
  readonly repositoryPlace: string;
  readonly vaultPlace: string;
  readonly entries: readonly CopiedEntry[];
  /** Names of the other projects of the vault that have plans here. */
  readonly others: ReadonlyMap<string, string>;
}

const othersPlace = 'others';

async function readOriginal(
  ports: RehearsalPorts,
  { vault, plan: named }: CopyRequest,
  signal: AbortSignal,
): Promise<Original> {
  const { disk } = ports;
  const layout = new VaultLayout(vault);
  await loadIdentity(disk, layout);
  const directory = new PlanDirectory(disk, layout);
  await assertOnThisMachine(disk, layout, named);
  const location = await directory.find(named);
  const { plans } = await directory.all();
  const stateText = await readRunStateText(disk, layout, location.id);
  const state = await loadRunState({ disk, layout }, location.id);
  assertIdle(location.id, state);
  const problem = await projectPlaceProblem(disk, layout, { path: location.projectDirectory, home: undefined });
  if (problem !== undefined) throw problem;
  const git = createGit({ ...ports, accepted: acceptedBy({ disk, layout }) });
  const repository = await inspectRepository(git, location.projectDirectory);
  assertReady(repository, location.id);
  const { root } = repository;
  const prefix = relative(root, location.projectDirectory).split(sep).join('/');
  const repositoryPlace = posix.join('repository', basename(root));
  const isInside = isWithin(root, layout.root);
  const vaultPlace = isInside ? posix.join(repositoryPlace, relative(root, layout.root).split(sep).join('/')) : 'vault';
  const contents = await listRepository(git, root, signal);
  const ravel = await listFolder(disk, location.ravelDirectory, posix.join(prefix, projectPaths.ravel), root);
  const ofVault = await listVault(disk, layout, location.id, state);
  const ofOthers = await listOtherPlans(disk, plans, location.project);
  const runtime = posix.join(vaultPlace, relative(layout.root, layout.runtime));
  const below = (place: string, list: readonly CopiedEntry[]) =>
    list.map((entry) => ({ ...entry, to: posix.join(place, entry.to) }));
  const ofRepository = below(repositoryPlace, [...contents.entries, ...ravel]);
  const all = [
    // A vault in the repository has running work of its own, which is not the copy's.
    ...ofRepository.filter(({ to }) => !to.startsWith(`${runtime}/`)),
    ...below(vaultPlace, ofVault),
    ...below(othersPlace, ofOthers),
  ];
  const entries = [...new Map(all.map((entry) => [entry.to, entry])).values()];
  const others = new Map(
    plans.filter(({ project }) => project !== location.project).map((one) => [one.project, one.projectDirectory]),
  );
  return {
    ...{ layout, location, state, stateText, root, prefix, contents, repositoryPlace, vaultPlace, entries, others },
  };
}

/** The vault may know a project whose folder this machine does not have. */
async function assertOnThisMachine(disk: Disk, layout: VaultLayout, named: string): Promise<void> {
  const name = projectOf(wholePlanName(named) as QualifiedId);
  const { projects } = await loadProjects(disk, layout);
  const known = projects.find((project) => project.name === name);
  if (known === undefined) return;
  const folder = known.path;
  const isHere = await disk.stat(layout.project(name)).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  const where = folder === undefined ? '' : ` It would be in ${folder}.`;
  throw failure('project/missing', named, `The project ${name} is not on this machine.${where}`, {
    help: `Clone it, then run \`ravel adopt DIR --name ${name}\`.`,
  });
}

function assertIdle(plan: QualifiedId, { running, waiting, interrupted }: RunState): void {
  if (running !== undefined) {
    throw failure('plan/busy', plan, `${plan} is in the middle of ${running.phase}, so it cannot be rehearsed now.`);
  }
  const unfinished = waiting ?? interrupted;
  if (unfinished === undefined) return;
  const what = waiting === undefined ? 'did not finish' : 'needs your answer';
  throw failure('plan/waiting', plan, `${unfinished.phase} of ${plan} ${what}: ${unfinished.reason}`, {
    help: 'Finish or drop it first: see `ravel status PLAN`.',
  });
}

async function assertFits(
  { disk, temporary }: RehearsalPorts,
  { location, entries }: Original,
  bytes: number,
  bytesMax: number,
): Promise<void> {
  const size = `${formatBytes(bytes)} in ${plural(entries.length, 'file')}`;
  if (bytes > bytesMax) {
    const message = `A copy of ${location.project} would have ${size}; the limit is ${formatBytes(bytesMax)}.`;
    throw failure('rehearsal/tooLarge', location.id, message);
  }
  const free = await disk.freeBytes(temporary).catch((error: unknown) => {
    throw toDiskError(error, temporary, 'read');
  });
  if (bytes + spareBytes <= free) return;
  throw failure('disk/full', temporary, `A copy has ${size}; ${temporary} has ${formatBytes(free)} left.`, {
    help: 'Free some space, or name a folder on another disk with TMPDIR.',
  });
}

interface Filling {
  readonly ports: RehearsalPorts;
  readonly git: Git;
  readonly original: Original;
  readonly folder: RehearsalFolder;
}

async function fill({ ports, git, original, folder }: Filling, signal: AbortSignal): Promise<CopiedRepository> {
  const { disk } = ports;
  const { contents, entries, repositoryPlace } = original;
  await copyEntries(disk, folder.path, entries, { signal });
  const top = join(folder.path, repositoryPlace);
  for (const [path, text] of contents.texts) {
    await ensureDirectory(disk, join(top, path, '..'));
    await writeAtomic(disk, join(top, path), text);
  }
  for (const { path, trackedLinks } of contents.repositories) {
    for (const name of ['objects', 'refs']) await ensureDirectory(disk, join(top, path, '.git', name));
    if (trackedLinks.length === 0) continue;
    const stdin = Buffer.from(trackedLinks.map((link) => `${link}\0`).join(''));
    await git.run(join(top, path), ['update-index', '--skip-worktree', '-z', '--stdin'], { stdin });
  }
  await fillVault(ports, git, original, folder.path);
  await assertUnchanged(disk, original);
  const project = join(top, original.prefix);
  return await readBeginning(git, { top, project, original, folder: folder.path });
}

/** What the copied vault has of its own: where its projects are, a repository, and the state of the plan. */
async function fillVault(ports: RehearsalPorts, git: Git, original: Original, folder: string): Promise<void> {
  const { disk } = ports;
  const { location, state, others, repositoryPlace, prefix, vaultPlace } = original;
  const layout = new VaultLayout(join(folder, vaultPlace));
  await ensureDirectory(disk, layout.projects);
  await ensureDirectory(disk, layout.plans, 0o700);
  const project = join(folder, repositoryPlace, prefix);
  const projects = new Map([
    [location.project, project],
    ...[...others.keys()].map((name) => [name, join(folder, othersPlace, name)] as const),
  ]);
  for (const [name, path] of projects) await disk.symlink(join(path, projectPaths.ravel), layout.project(name));
  const local = [...projects].map(([name, path]) => ({ name, path }));
  await writeAtomic(disk, layout.localProjectsFile, stringify({ projects: local }));
  // A run that is paused stays the real plan's.
  const { cycleRun: _paused, ...rest } = state;
  await saveRunState({ disk, layout }, location.id, rest);
  if (vaultPlace.startsWith(`${repositoryPlace}/`)) return;
  await git.run(folder, ['init', '--quiet', '--initial-branch=main', '--template=', '--', layout.root]);
}

/** A phase that began meanwhile has changed what was copied. */
async function assertUnchanged(disk: Disk, { layout, location, stateText }: Original): Promise<void> {
  if ((await readRunStateText(disk, layout, location.id)) === stateText) return;
  throw failure('plan/busy', location.id, `${location.id} began to run while it was copied.`);
}

async function readBeginning(
  git: Git,
  {
    top,
    project,
    original,
    folder,
  }: { readonly top: string; readonly project: string; readonly original: Original; readonly folder: string },
): Promise<CopiedRepository> {
  const { location, root, prefix, repositoryPlace, vaultPlace } = original;
  const ravel = posix.join(prefix, projectPaths.ravel);
  const vault = join(folder, vaultPlace);
  const isInside = vaultPlace.startsWith(`${repositoryPlace}/`);
  const exclude = [ravel, ...(isInside ? [relative(top, vault).split(sep).join('/')] : [])];
  try {
    const head = await readHead(git, project);
    const tree = await storeWorkTree(git, top);
    return { top, exclude, tree, ...(head !== undefined && { head }) };
  } catch (error) {
    if (!isRavelError(error, 'git/failed') && !isRavelError(error, 'git/notARepository')) throw error;
    const message = `The copy of ${root} is not complete: ${error.message}`;
    throw failure('rehearsal/changed', location.id, message, { cause: error });
  }
}

function placesOf({ root, layout, repositoryPlace, vaultPlace, others }: Original, folder: string): CopiedPlace[] {
  return [
    { copy: join(folder, repositoryPlace), original: root },
    { copy: join(folder, vaultPlace), original: layout.root },
    ...[...others].map(([name, original]) => ({ copy: join(folder, othersPlace, name), original })),
  ];
}
