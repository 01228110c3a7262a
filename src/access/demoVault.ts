import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import { copyFileAtomic, ensureDirectory, exists, readText, walkFiles, writeAtomic } from '../base/files.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Api } from '../model/protocol.ts';
import type { AccessPorts } from './ports.ts';

/** The name that the project of a demo has in its vault. */
export const demoProject = 'duration';

/** Where a demo takes place; absolute paths. */
export interface DemoPlace {
  readonly project: string;
  readonly vault: string;
}

const planSchema = z.strictObject({
  description: z.string(),
  'headroom-words': z.number().int(),
  tasks: z.array(z.record(z.string(), z.unknown())),
  memory: z.array(z.record(z.string(), z.unknown())),
});

/** What is in a plan before its first cycle. */
export type DemoPlan = z.infer<typeof planSchema>;

/** Where the package lies: the folder that holds `demo/`. */
interface Package {
  readonly packageRoot: string;
}

type DemoPorts = Pick<AccessPorts, 'disk' | 'core'> & Package;

export async function loadDemoPlan({ disk, packageRoot }: Pick<AccessPorts, 'disk'> & Package): Promise<DemoPlan> {
  return planSchema.parse(parse(await readText(disk, join(packageRoot, 'demo', 'plan.yaml'))));
}

/** What the scripted harness plays. */
export function demoScenario({ packageRoot }: Package): string {
  return join(packageRoot, 'demo', 'scenario.yaml');
}

/** Makes a small project with a red test, and the vault unless it is there. */
export async function buildDemo(
  ports: DemoPorts,
  { project, vault }: DemoPlace,
  { 'headroom-words': headroomWords }: DemoPlan,
): Promise<void> {
  const { disk, core } = ports;
  await ensureDirectory(disk, project, 0o700);
  await copyProject(ports, project);
  await startRepository(ports, project, 'Start a parser of durations');
  if (await exists(disk, vault)) return;
  await core.createVault(vault, 'demo');
  await lowerHeadroom(ports, vault, headroomWords);
}

/** Makes a folder a repository whose first commit has all of it. */
export async function startRepository(
  { core }: Pick<AccessPorts, 'core'>,
  project: string,
  title: string,
): Promise<void> {
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Ravel Demo'],
    ['config', 'user.email', 'demo@example.invalid'],
    ['add', '-A'],
    ['commit', '-q', '-m', title],
  ]) {
    await core.git(project, args);
  }
}

/** Adopts the project and gives its plan something to do. */
export async function beginDemo(api: Api, { project }: DemoPlace, given: DemoPlan): Promise<QualifiedId> {
  const { plan } = await api.request('adopt', { project, description: given.description });
  await fillDemoPlan(api, plan, given);
  return plan;
}

/** Adds the tasks and the memory that a plan has before its first cycle. */
export async function fillDemoPlan(api: Api, plan: QualifiedId, { tasks, memory }: DemoPlan): Promise<void> {
  for (const args of tasks) await api.request('state', { plan, verb: 'backlog/add', args });
  for (const args of memory) {
    await api.request('state', { plan, verb: 'memory/add', args: { ...args, source: 'decision' } });
  }
}

async function copyProject({ disk, packageRoot }: DemoPorts, project: string): Promise<void> {
  const source = join(packageRoot, 'demo', 'project');
  for (const path of await walkFiles(disk, source)) {
    await ensureDirectory(disk, join(project, path, '..'));
    await copyFileAtomic(disk, join(source, path), join(project, path));
  }
}

/** A vault of the demo's own dreams early, so that the cycle shows all its phases. */
async function lowerHeadroom({ disk, core }: DemoPorts, vault: string, words: number): Promise<void> {
  const file = join(vault, 'daemon.toml');
  const text = await readText(disk, file);
  const lowered = text.replace(/^#? *headroom-words = .*$/m, `headroom-words = ${words}`);
  assert(lowered !== text, 'the settings of a new vault name every key');
  await writeAtomic(disk, file, lowered);
  await core.git(vault, ['add', 'daemon.toml']);
}
