import { join } from 'node:path';
import { ifThere, listIfThere } from '../../base/diskErrors.ts';
import { idFromSegment, type QualifiedId, segmentFromId } from '../../model/id.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { notesPath } from '../sessions/sessionNotes.ts';

interface Ports {
  readonly services: VaultPorts;
  readonly directory: Pick<PlanDirectory, 'all'>;
}

/** Run states that are read together: all at once would keep everything else from the disk. */
const filesAtATime = 16;
/** A larger one is only read when its plan is recovered. */
const fileBytesMax = 1024 * 1024;
const ending = '.yaml';

/**
 * Plans of which an earlier owner may have left something under way, in order: of each that ever ran the run state is read
 * as a text and not parsed. What cannot be read counts. An abort ends it with what was found.
 */
export async function findUnsettledPlans({ services, directory }: Ports, signal: AbortSignal): Promise<QualifiedId[]> {
  const { disk, layout } = services;
  const entries = await listIfThere(disk, layout.plans);
  const segments = entries.filter(({ name }) => name.endsWith(ending)).map(({ name }) => name.slice(0, -ending.length));
  const staged = new Set(await namesIn(services, layout.staging));
  const found: string[] = [];
  for (let n = 0; n < segments.length && !signal.aborted; n += filesAtATime) {
    found.push(...(await unsettledAmong(services, segments.slice(n, n + filesAtATime), staged)));
  }
  return toPlans(directory, found);
}

/** Whether an earlier owner may have left something of this plan under way. */
export async function mayBeUnsettled({ services }: Pick<Ports, 'services'>, plan: QualifiedId): Promise<boolean> {
  const { disk, layout } = services;
  const state = await ifThere(layout.runState(plan), () => disk.lstat(layout.runState(plan)));
  if (state === undefined) return false;
  const segment = segmentFromId(plan);
  return (await unsettledAmong(services, [segment], new Set([segment]))).length > 0;
}

async function unsettledAmong(
  services: Ports['services'],
  segments: readonly string[],
  staged: ReadonlySet<string>,
): Promise<string[]> {
  const { disk, layout } = services;
  const files = segments.map((segment) => join(layout.plans, `${segment}${ending}`));
  const states = await disk.readEach(files, fileBytesMax);
  const found: string[] = [];
  for (const [n, segment] of segments.entries()) {
    const text = states[n]?.toString('utf8');
    const isUnsettled =
      text === undefined ||
      namesWhatIsUnderWay(text) ||
      (staged.has(segment) && (await namesIn(services, join(layout.staging, segment))).length > 0) ||
      (await hasNotes(services, text));
    if (isUnsettled) found.push(segment);
  }
  return found;
}

/** The names of `isUnderWay`; as a value they cost a look. A backslash could spell them otherwise. */
function namesWhatIsUnderWay(text: string): boolean {
  return text.includes('running') || text.includes('cycleRun') || text.includes('\\');
}

/** Whether a session of the plan was left notes, which it may not have been told. */
async function hasNotes({ disk, layout }: Ports['services'], text: string): Promise<boolean> {
  const sessions = new Set([...text.matchAll(/ session: "?([0-9A-Z]{26})/g)].map(([, session = '']) => session));
  const files = [...sessions].map((session) => notesPath(join(layout.sessions, session)));
  const kinds = await Promise.all(files.map((file) => ifThere(file, () => disk.lstat(file))));
  return kinds.some((stat) => stat !== undefined);
}

/** The segment of a plan far down does not say which plan it is; only the plan itself does. */
async function toPlans(directory: Ports['directory'], segments: readonly string[]): Promise<QualifiedId[]> {
  const isWalkNeeded = segments.some((segment) => idFromSegment(segment) === undefined);
  const plans = isWalkNeeded ? (await directory.all()).plans : [];
  const known = new Map(plans.map(({ id }) => [segmentFromId(id), id]));
  return segments
    .map((segment) => idFromSegment(segment) ?? known.get(segment))
    .filter((id) => id !== undefined)
    .sort();
}

async function namesIn({ disk }: Ports['services'], folder: string): Promise<string[]> {
  const entries = await listIfThere(disk, folder);
  return entries.map(({ name }) => name);
}
