import { sep } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, isRavelError, type Range } from '../base/errors.ts';
import { type Backlog, dependencyCycle } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import { planSchemas } from '../model/planSchemas.ts';
import { readYaml } from '../yaml/yaml.ts';
import { knowledgeFolders } from './entryFiles.ts';
import { loadIdentity } from './identity.ts';
import type { VaultLayout } from './layout.ts';
import { findLinks } from './ownPlaces.ts';
import { type PlanPlace, parsePlan, readPlanFiles } from './planStore.ts';
import { loadProjects } from './projects.ts';
import { mapPlans, type ScannedPlan } from './scan.ts';
import { loadSettings } from './settings.ts';
import { type FoundBefore, findOnce, parseFound, StampedCache } from './stampedCache.ts';
import { verifyKnowledge } from './verifyKnowledge.ts';
import { verifyNames } from './verifyNames.ts';
import { type VaultWalk, walkVault } from './walk.ts';

export interface Verification {
  readonly diagnostics: readonly Diagnostic[];
  /** How many plans were looked at. */
  readonly plans: number;
}

export interface VerifyOptions {
  /** What was found the last time; a plan or a note whose files are as they were then is not read again. */
  readonly cache?: StampedCache;
  /** Wall time, as files are stamped with; nothing is put into the cache without it. */
  readonly wallMs?: () => number;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the whole vault: its identity, settings and registry, the places of its plans and projects, and every state
 * file of every plan. Never throws for what it finds. A vault without a readable identity is not looked at further.
 */
export async function verifyVault(
  disk: ReadingDisk,
  layout: VaultLayout,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { cache = StampedCache.empty(), signal, onProgress } = options;
  const before: FoundBefore = { cache, startMs: options.wallMs?.() ?? Number.NEGATIVE_INFINITY };
  const identity = await diagnosticsOf(async () => {
    await loadIdentity(disk, layout);
    return [];
  });
  if (identity.length > 0) return { diagnostics: identity, plans: 0 };
  const files = new Map<QualifiedId, readonly PlanFile[]>();
  const walk = await walkVault(disk, layout, (id, entries) => {
    const names = new Set(entries.map(({ name }) => name));
    files.set(
      id,
      stateFiles.filter((file) => names.has(file)),
    );
  });
  const diagnostics = [...(await verifyVaultFiles(disk, layout, walk, before)), ...walk.diagnostics];
  const total = walk.plans.length;
  const verifyOne = (plan: ScannedPlan) => verifyOnce(disk, plan, files.get(plan.id) ?? [], before);
  const onBatch = (from: number, batch: readonly unknown[]) => onProgress?.(from + batch.length, total);
  const found = await mapPlans(walk.plans, verifyOne, { signal, onBatch });
  for (const problems of found) diagnostics.push(...problems);
  return { diagnostics, plans: walk.plans.length };
}

/** Checks what stands in the vault itself: settings, registry, experts and rules. */
export async function verifyVaultFiles(
  disk: ReadingDisk,
  layout: VaultLayout,
  { plans }: Pick<VaultWalk, 'plans'>,
  before?: FoundBefore,
): Promise<readonly Diagnostic[]> {
  const ids = plans.map(({ id }) => id);
  return [
    ...(await diagnosticsOf(() => findLinks(disk, layout))),
    ...(await diagnosticsOf(async () => (await loadSettings(disk, layout)).diagnostics)),
    ...(await diagnosticsOf(async () => (await loadProjects(disk, layout)).diagnostics)),
    ...(await diagnosticsOf(() => verifyNames(disk, layout, ids))),
    ...(await diagnosticsOf(() => verifyKnowledge(disk, knowledgeFolders(layout, plans), before))),
  ];
}

/** Checks every state file of one plan. */
export async function verifyPlan(disk: ReadingDisk, plan: ScannedPlan): Promise<readonly Diagnostic[]> {
  return verifyFiles(disk, plan, stateFiles);
}

const recordFiles = [
  planFiles.sessionLog,
  planFiles.latestSession,
  planFiles.commits,
  planFiles.dispatches,
  planFiles.queries,
] as const;

const stateFiles: readonly PlanFile[] = Object.values(planFiles);

/**
 * All that is found in a plan depends on its own files alone, so as long as those stay, it stays. `present` are the state
 * files that the plan has; to look for the others would cost more than to check these.
 */
async function verifyOnce(
  disk: ReadingDisk,
  plan: ScannedPlan,
  present: readonly PlanFile[],
  before: FoundBefore,
): Promise<readonly Diagnostic[]> {
  const key = `${plan.id} ${present.join(' ')}`;
  const paths = present.map((file) => `${plan.readFrom}/${file}`);
  const found = await findOnce(disk, before, { key, paths }, async () =>
    JSON.stringify(await verifyFiles(disk, plan, present)),
  );
  return parseFound(found);
}

async function verifyFiles(disk: ReadingDisk, plan: PlanPlace, present: readonly PlanFile[]): Promise<Diagnostic[]> {
  const files = await readPlanFiles(disk, plan, present);
  const loaded = parsePlan(files, plan);
  const diagnostics = [...loaded.diagnostics];
  if (loaded.backlog !== undefined) {
    diagnostics.push(...verifyDependencies(loaded.backlog, files.texts.get(planFiles.backlog) ?? '', plan));
  }
  for (const file of recordFiles) {
    const fault = files.faults.get(file);
    const text = files.texts.get(file);
    const schema = planSchemas.get(file);
    if (fault !== undefined) diagnostics.push(fault);
    if (text === undefined || schema === undefined) continue;
    diagnostics.push(...readYaml(schema, text, placeOf(plan, file)).diagnostics);
  }
  const fault = files.faults.get(planFiles.dreamWordCount);
  if (fault !== undefined) diagnostics.push(fault);
  diagnostics.push(...verifyWordCount(files.texts.get(planFiles.dreamWordCount), plan));
  return diagnostics;
}

function verifyDependencies(backlog: Backlog, text: string, plan: PlanPlace): Diagnostic[] {
  const { file, subject } = placeOf(plan, planFiles.backlog);
  const tasks = backlog.tasks ?? [];
  const diagnostics: Diagnostic[] = [];
  // Most backlogs need none.
  let ranges: ReturnType<typeof idRanges> | undefined;
  const rangeOf = (id: string | undefined) => {
    ranges ??= idRanges(text);
    return ranges.get(id ?? '') ?? {};
  };
  const cycle = dependencyCycle(tasks);
  if (cycle !== undefined) {
    const message = `The dependencies form a cycle: ${cycle.join(' → ')}.`;
    diagnostics.push(diagnostic('state/dependencyCycle', subject, message, { file, ...rangeOf(cycle[0]) }));
  }
  const ids = new Set(tasks.map((task) => task.id));
  for (const task of tasks) {
    const unknown = (task.dependencies ?? []).filter((id) => !ids.has(id));
    if (unknown.length === 0) continue;
    const message = `The task "${task.id}" depends on ${unknown.map((id) => `"${id}"`).join(', ')}, which this backlog does not have; it counts as unmet.`;
    const place = { severity: 'warning', file, ...rangeOf(task.id) } as const;
    diagnostics.push(diagnostic('state/unknownDependency', subject, message, place));
  }
  return diagnostics;
}

function verifyWordCount(text: string | undefined, plan: PlanPlace): Diagnostic[] {
  if (text === undefined || /^\s*\d{1,15}\s*$/.test(text)) return [];
  const { file, subject } = placeOf(plan, planFiles.dreamWordCount);
  const message = `${planFiles.dreamWordCount} holds "${text.trim().slice(0, 40)}"; it must be a whole number of words.`;
  return [
    diagnostic('yaml/schema', subject, message, { file, help: 'Write 0 into the file.', range: lineRange(0, 0) }),
  ];
}

/** The lines with ids, as records are commonly written; an id that is written otherwise has none. */
function idRanges(text: string): ReadonlyMap<string, { readonly range: Range }> {
  const ranges = new Map<string, { readonly range: Range }>();
  for (const [line, source] of text.split(/\r?\n/).entries()) {
    const id = /^\s*(?:- +)?id:(.*)$/s
      .exec(source)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2');
    if (id !== undefined && !ranges.has(id)) ranges.set(id, { range: lineRange(line, source.length) });
  }
  return ranges;
}

function lineRange(line: number, end: number): Range {
  return { start: { line, character: 0 }, end: { line, character: end } };
}

function placeOf(plan: PlanPlace, file: PlanFile) {
  return { file: `${plan.directory}${sep}${file}`, subject: plan.id };
}

/** One failed check must not hide what the others find. */
async function diagnosticsOf(check: () => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
  try {
    return await check();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return [error.diagnostic];
  }
}
