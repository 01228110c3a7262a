import { createHash } from 'node:crypto';
import { type FileState, fileStates } from '../../git/fileStates.ts';
import { showFiles } from '../../git/snapshot.ts';
import { failure } from '../../model/codes.ts';
import { idPartLengthMin, type QualifiedId } from '../../model/id.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import { erasOf } from '../../plans/planHistory.ts';
import type { PlanServices } from '../../plans/services.ts';
import { planPath } from '../../vault/layout.ts';
import type { PlanLocation } from '../../vault/walk.ts';

/**
 * What a snapshot consists of: where the plan is in its cycle, and all records that sessions change. The log of past
 * sessions is a history and is never put back, and neither is what code takes from a session to carry out.
 */
export const snapshotFiles = [
  planFiles.backlog,
  planFiles.dreamWordCount,
  planFiles.latestSession,
  planFiles.memory,
  planFiles.phase,
  planFiles.marker,
] as const satisfies readonly PlanFile[];

/** A state of a plan that a commit has. */
export interface Snapshot {
  /** Id of the git tree of its files. Two snapshots with one id are the same state. */
  readonly id: string;
  readonly commit: string;
  readonly at: string;
  readonly title: string;
  /** The name that the plan had. */
  readonly plan: QualifiedId;
}

export type SnapshotServices = Pick<PlanServices, 'disk' | 'git' | 'layout'>;

/** In the order of the files, relative to the project. */
export function snapshotPaths(plan: QualifiedId): readonly string[] {
  return snapshotFiles.map((file) => `${planPath(plan)}/${file}`);
}

/** The snapshots of a plan under all names that it had, newest first, at most `limit`. */
export async function listSnapshots(
  services: SnapshotServices,
  location: PlanLocation,
  limit: number,
): Promise<readonly Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for (const { plan, ...range } of await erasOf(services, location)) {
    const left = limit - snapshots.length;
    if (left <= 0) break;
    const paths = snapshotPaths(plan);
    const states = await fileStates(services.git, location.projectDirectory, { ...range, paths, limit: left });
    // Without its marker there was no plan: it had been removed.
    const isThere = ({ ids }: FileState) => ids[snapshotFiles.indexOf(planFiles.marker)] !== undefined;
    snapshots.push(...states.filter(isThere).map(({ ids, ...state }) => ({ ...state, id: treeId(ids), plan })));
  }
  return snapshots;
}

/** Snapshots among which a name is looked for. */
const searchedMax = 10_000;

/**
 * The newest snapshot with this id, or whose id or commit begins like this. Throws `snapshot/unknown` if there is none, and
 * if several states fit.
 */
export async function findSnapshot(
  services: SnapshotServices,
  location: PlanLocation,
  name: string,
): Promise<Snapshot> {
  const unknown = (message: string) =>
    failure('snapshot/unknown', location.id, message, {
      help: `\`ravel snapshots ${location.id}\` lists them; an id can be shortened to ${idPartLengthMin} characters.`,
    });
  if (!/^[0-9a-f]+$/.test(name) || name.length < idPartLengthMin)
    throw unknown(`"${name}" is not the id of a snapshot.`);
  const fitting = (await listSnapshots(services, location, searchedMax)).filter(
    ({ id, commit }) => id.startsWith(name) || commit.startsWith(name),
  );
  const [found] = fitting;
  if (found === undefined) throw unknown(`${location.id} has no snapshot ${name}.`);
  if (fitting.some(({ id }) => id !== found.id))
    throw unknown(`Several snapshots of ${location.id} begin with ${name}.`);
  return found;
}

/** The files of a snapshot. */
export async function snapshotTexts(
  { git }: Pick<SnapshotServices, 'git'>,
  location: PlanLocation,
  { plan, commit }: Pick<Snapshot, 'plan' | 'commit'>,
): Promise<PlanTexts> {
  const texts = await showFiles(git, location.projectDirectory, commit, snapshotPaths(plan));
  return new Map(snapshotFiles.flatMap((file, at) => (texts[at] === undefined ? [] : [[file, texts[at]]])));
}

/** The id of the state that these files are, in a repository whose ids have as many characters as `like`. */
export function idOfTexts(texts: PlanTexts, like: string): string {
  const algorithm = algorithmOf(like);
  return treeId(
    snapshotFiles.map((file) => {
      const text = texts.get(file);
      return text === undefined ? undefined : objectId(algorithm, 'blob', Buffer.from(text));
    }),
  );
}

/** As git makes it of a folder with these files; it need not be in the repository. */
function treeId(ids: readonly (string | undefined)[]): string {
  const [like = ''] = ids.filter((id) => id !== undefined);
  const entries = snapshotFiles.flatMap((file, at) => {
    const id = ids[at];
    return id === undefined ? [] : [Buffer.from(`100644 ${file}\0`), Buffer.from(id, 'hex')];
  });
  return objectId(algorithmOf(like), 'tree', Buffer.concat(entries));
}

function algorithmOf(id: string): 'sha1' | 'sha256' {
  return id.length === 64 ? 'sha256' : 'sha1';
}

function objectId(algorithm: 'sha1' | 'sha256', type: 'blob' | 'tree', content: Buffer): string {
  return createHash(algorithm).update(`${type} ${content.length}\0`).update(content).digest('hex');
}
