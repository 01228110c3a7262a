import { isAbsolute, join, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { sha256 } from '../../base/files.ts';
import { isRecord } from '../../base/json.ts';
import { type Fingerprint, takeFingerprint, type WatchedFile } from '../../git/fingerprint.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Phase } from '../../model/phase.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { listDecisions } from '../approvals/decisions.ts';
import type { ApprovalQuestion } from '../approvals/phaseQuestion.ts';
import { loadBaseline, type ProgramBaseline, removeBaseline, saveBaseline } from '../programBaselines.ts';
import type { PlanServices } from '../services.ts';

/** A file that decides what runs and is not as it was; null for a hash where it was or is not there. */
export interface ChangedProgram {
  readonly file: string;
  readonly before: string | null;
  readonly now: string | null;
  readonly was?: string;
  readonly is?: string;
}

/**
 * What a person must accept before anything of this plan goes on: a session, or what it started, may have changed what
 * git, an editor or a build server runs. Undefined if all is as it was before, or was accepted.
 */
export async function programsQuestion(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  phase: Phase,
): Promise<ApprovalQuestion | undefined> {
  const baseline = await loadBaseline(services, location.project);
  if (baseline === undefined) return undefined;
  const now = await fingerprintsOf(services, location);
  const changed = await unaccepted(
    services,
    { plan: location.id, root: now[0]?.root ?? '' },
    changesBetween(baseline.repositories, now),
  );
  if (changed.length === 0) return undefined;
  const names = changed.map(({ file }) => file);
  const shown = names.slice(0, namesMax).join(', ');
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  const reason = `These files decide what others run, and they changed since a session began: ${shown}${more}.`;
  const files = changed.slice(0, shownMax);
  return { kind: 'programs-changed', reason, details: { phase, hash: hashOf(now), files, count: changed.length } };
}

/** Files that the reason names, and files that the question shows. */
const namesMax = 10;
const shownMax = 100;

/** Takes the baseline of a session that is about to begin, unless an earlier one still stands. */
export async function holdPrograms(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
): Promise<void> {
  const baseline = await loadBaseline(services, location.project);
  if (baseline?.plans.includes(location.id) === true) return;
  const plans = [...(baseline?.plans ?? []), location.id];
  const repositories = baseline?.repositories ?? (await fingerprintsOf(services, location));
  await saveBaseline(services, location.project, { plans, repositories });
}

/** The commits are made: what a person changes from here on is theirs, unless another plan's session is at it. */
export async function releasePrograms(services: VaultPorts, { project, id }: PlanLocation): Promise<void> {
  const baseline = await loadBaseline(services, project);
  if (baseline === undefined) return;
  const plans = baseline.plans.filter((plan) => plan !== id);
  if (plans.length === 0) await removeBaseline(services, project);
  else await saveBaseline(services, project, { ...baseline, plans });
}

/** Makes what the person saw the baseline. If that has changed, nothing happens and the question is asked again. */
export async function acceptPrograms(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  location: PlanLocation,
  hash: string,
): Promise<void> {
  const now = await fingerprintsOf(services, location);
  const baseline = await loadBaseline(services, location.project);
  if (baseline === undefined || hashOf(now) !== hash) return;
  await saveBaseline(services, location.project, { ...baseline, repositories: now });
}

type Repositories = ProgramBaseline['repositories'];

async function fingerprintsOf(
  services: Pick<PlanServices, 'layout' | 'git'>,
  location: PlanLocation,
): Promise<Fingerprint[]> {
  const project = await takeFingerprint(services.git, location.projectDirectory);
  try {
    const vault = await takeFingerprint(services.git, services.layout.root);
    return vault.root === project.root ? [project] : [project, vault];
  } catch (error) {
    // A vault need not be in a repository.
    if (isRavelError(error, 'git/notARepository')) return [project];
    throw error;
  }
}

function hashOf(fingerprints: readonly Fingerprint[]): string {
  const seen = fingerprints.map(({ root, settings, hooks, files }) => {
    const hashes = Object.entries(files).map(([path, { hash }]) => [path, hash]);
    return [root, [...settings].sort(), Object.entries(hooks).sort(), hashes.sort()];
  });
  return sha256(JSON.stringify(seen));
}

/** Each with the root of its repository, if that is not the project's. */
function changesBetween(before: Repositories, now: readonly Fingerprint[]): ChangedProgram[] {
  const roots = [...new Set([...now, ...before].map(({ root }) => root))];
  return roots.flatMap((root, at) => {
    const was = before.find((repository) => repository.root === root)?.files ?? {};
    const is = now.find((repository) => repository.root === root)?.files ?? {};
    const paths = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
    return paths.flatMap((path) => {
      const [old, present] = [own(was, path), own(is, path)];
      if (old?.hash === present?.hash) return [];
      return [describe(at === 0 || isAbsolute(path) ? path : join(root, path), old, present)];
    });
  });
}

function own(files: Readonly<Record<string, WatchedFile | undefined>>, path: string): WatchedFile | undefined {
  return Object.hasOwn(files, path) ? files[path] : undefined;
}

function describe(file: string, was: WatchedFile | undefined, is: WatchedFile | undefined): ChangedProgram {
  return {
    ...{ file, before: was?.hash ?? null, now: is?.hash ?? null },
    ...defined({ was: was?.text, is: is?.text }),
  };
}

/** Without what a person allowed a session of this plan to write, in these very words. */
async function unaccepted(
  services: VaultPorts,
  { plan, root }: { readonly plan: QualifiedId; readonly root: string },
  changed: readonly ChangedProgram[],
): Promise<readonly ChangedProgram[]> {
  if (changed.length === 0) return changed;
  const allowed = await allowedContents(services, plan, root);
  return changed.filter(({ file, now, was }) => {
    const texts = textsAfter(was, allowed.get(resolve(root, file)) ?? []);
    return !texts.some((text) => now === `file:${sha256(text)}`);
  });
}

/** The content of a file after an allowed call. */
type Content = (was: string | undefined) => string | undefined;

/** Texts of granted writes that are compared. */
const textsMax = 100;

/** Every content that a file can have after the allowed calls, in order, given that each of them can have failed. */
function textsAfter(was: string | undefined, contents: readonly Content[]): readonly string[] {
  const texts = new Set<string>();
  for (const content of contents) {
    for (const before of [was, ...texts]) {
      const text = content(before);
      if (text !== undefined && texts.size < textsMax) texts.add(text);
    }
  }
  return [...texts];
}

async function allowedContents(
  services: VaultPorts,
  plan: QualifiedId,
  directory: string,
): Promise<ReadonlyMap<string, readonly Content[]>> {
  const contents = new Map<string, Content[]>();
  for (const decision of await listDecisions(services, 'tool-request')) {
    if (decision.plan !== plan || decision.decision !== 'accept' || !isRecord(decision.details)) continue;
    const { tool_name: tool, input } = decision.details;
    if (!isRecord(input) || typeof input['file_path'] !== 'string') continue;
    const content = contentOf(tool, input);
    if (content === undefined) continue;
    const path = resolve(directory, input['file_path']);
    contents.set(path, [...(contents.get(path) ?? []), content]);
  }
  return contents;
}

function contentOf(tool: unknown, input: Readonly<Record<string, unknown>>): Content | undefined {
  const { content, old_string: old, new_string: fresh } = input;
  if (tool === 'Write' && typeof content === 'string') return () => content;
  if (tool !== 'Edit' || typeof old !== 'string' || typeof fresh !== 'string') return undefined;
  // Of several places none is certain; then it is asked.
  return (was) => (was !== undefined && was.split(old).length === 2 ? was.split(old).join(fresh) : undefined);
}
