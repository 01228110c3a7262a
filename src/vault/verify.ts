import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, isRavelError, type Range } from '../base/errors.ts';
import { type Backlog, dependencyCycle } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import { planSchemas } from '../model/planSchemas.ts';
import { loadIdentity } from './identity.ts';
import type { VaultLayout } from './layout.ts';
import { type PlanPlace, parsePlan, readPlanFiles } from './planStore.ts';
import { loadProjects } from './projects.ts';
import { loadSettings } from './settings.ts';
import { walkVault } from './walk.ts';
import { readYaml } from './yaml.ts';

export interface Verification {
  readonly diagnostics: readonly Diagnostic[];
  /** How many plans were looked at. */
  readonly plans: number;
}

/** Plans read at the same time; one after the other would wait for the disk, all at once would run out of memory. */
const plansMax = 8;

/**
 * Checks the whole vault: its identity, settings and registry, the invariants of design 3, and every state file of
 * every plan. Never throws for what it finds. A vault without a readable identity is not looked at further.
 */
export async function verifyVault(disk: Disk, layout: VaultLayout): Promise<Verification> {
  const identity = await diagnosticsOf(async () => {
    await loadIdentity(disk, layout);
    return [];
  });
  if (identity.length > 0) return { diagnostics: identity, plans: 0 };
  const diagnostics = [
    ...(await diagnosticsOf(async () => (await loadSettings(disk, layout)).diagnostics)),
    ...(await diagnosticsOf(async () => (await loadProjects(disk, layout)).diagnostics)),
  ];
  const walk = await walkVault(disk, layout);
  diagnostics.push(...walk.diagnostics);
  for (let n = 0; n < walk.plans.length; n += plansMax) {
    const batch = walk.plans.slice(n, n + plansMax);
    const found = await Promise.all(batch.map((plan) => verifyPlan(disk, plan)));
    diagnostics.push(...found.flat());
  }
  return { diagnostics, plans: walk.plans.length };
}

const recordFiles = [
  planFiles.sessionLog,
  planFiles.latestSession,
  planFiles.commits,
  planFiles.dispatches,
  planFiles.queries,
] as const;

/** Checks every state file of one plan. */
async function verifyPlan(disk: Disk, plan: PlanPlace): Promise<Diagnostic[]> {
  const files = await readPlanFiles(disk, plan, Object.values(planFiles));
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
  const ranges = idRanges(text);
  const rangeOf = (id: string | undefined) => ranges.get(id ?? '') ?? {};
  const cycle = dependencyCycle(tasks);
  if (cycle !== undefined) {
    const message = `The dependencies go in a circle: ${cycle.join(' → ')}.`;
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
    const id = /^\s*(?:- +)?id: *(.*?)\s*$/.exec(source)?.[1]?.replace(/^(["'])(.*)\1$/, '$2');
    if (id !== undefined && !ranges.has(id)) ranges.set(id, { range: lineRange(line, source.length) });
  }
  return ranges;
}

function lineRange(line: number, end: number): Range {
  return { start: { line, character: 0 }, end: { line, character: end } };
}

function placeOf(plan: PlanPlace, file: PlanFile) {
  return { file: join(plan.directory, file), subject: plan.id };
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
