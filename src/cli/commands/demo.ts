import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { assert } from '../../base/assert.ts';
import {
  copyFileAtomic,
  ensureDirectory,
  exists,
  readText,
  removeTree,
  walkFiles,
  writeAtomic,
} from '../../base/files.ts';
import { createUlids } from '../../base/ulid.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Api, CycleReport } from '../../model/protocol.ts';
import { withApi } from '../access.ts';
import type { CommandContext } from '../context.ts';
import type { Ports } from '../ports.ts';
import { formatRunSummary } from '../render/reports.ts';
import { exitOfStop, harnessName, watchRun } from './runs.ts';

export interface DemoOptions {
  readonly harness: string;
  readonly keep?: boolean;
  readonly scenario?: string;
}

const planSchema = z.strictObject({
  description: z.string(),
  'headroom-words': z.number().int(),
  tasks: z.array(z.record(z.string(), z.unknown())),
  memory: z.array(z.record(z.string(), z.unknown())),
});

type DemoPlan = z.infer<typeof planSchema>;

interface World {
  readonly folder: string;
  readonly project: string;
  readonly vault: string;
}

/** Records of a plan's state file as the demo shows them. */
const recordsSchema = z.array(z.looseObject({ id: z.string(), title: z.string(), status: z.string().optional() }));
type Records = z.infer<typeof recordsSchema>;

interface Ended {
  readonly report: CycleReport;
  readonly tasks: { readonly before: Records; readonly after: Records };
  readonly memory: { readonly before: Records; readonly after: Records };
  readonly commits: readonly string[];
}

/** One whole cycle in a small real project with a red test, in a folder of its own. Exit code 0 when the cycle ended. */
export async function demo(context: CommandContext, options: DemoOptions): Promise<number> {
  const { ports, globals } = context;
  const harness = harnessName(options.harness);
  const given = planSchema.parse(parse(await readText(ports.disk, join(ports.packageRoot, 'demo', 'plan.yaml'))));
  const scenario = options.scenario ?? join(ports.packageRoot, 'demo', 'scenario.yaml');
  const world = await makeWorld(ports, globals.vault, given);
  context.note([`A project with a red test, and a vault, in ${world.folder}`]);
  const code = await withApi(ports, world.vault, 'owner', async ({ api }) => {
    const { plan } = await api.request('adopt', { project: world.project, description: given.description });
    await fillPlan(api, plan, given);
    return watchRun(context, api, plan, async (_api, _plan, signal) => {
      const tasks = await tasksOf(api, plan);
      const memory = await memoryOf(api, plan);
      const run = {
        plan,
        harness,
        ...(harness === 'scripted' ? { scenario: resolve(ports.workingDirectory, scenario) } : {}),
      };
      const report = await api.request('run_cycle', run, signal);
      const ended: Ended = {
        report,
        tasks: { before: tasks, after: await tasksOf(api, plan) },
        memory: { before: memory, after: await memoryOf(api, plan) },
        commits: (await ports.core.git(world.project, ['log', '--format=%h %s'])).trim().split('\n'),
      };
      context.result({ ...world, plan, ...ended }, describe(context, ended));
      return exitOfStop[report.stop];
    });
  });
  const isKept = options.keep === true || globals.vault !== undefined || code !== 0;
  if (isKept) context.note(whatToTry(world));
  else {
    await removeTree(ports.disk, world.folder);
    context.note(['', 'The folder is removed again; `ravel demo --keep` leaves it there to look around in.']);
  }
  return code;
}

async function makeWorld(ports: Ports, vaultFlag: string | undefined, given: DemoPlan): Promise<World> {
  const { disk, core, clock } = ports;
  const folder = join(ports.temporaryDirectory, `ravel-demo-${createUlids(clock)().slice(-8).toLowerCase()}`);
  const project = join(folder, 'duration');
  const vault = vaultFlag === undefined ? join(folder, 'vault') : resolve(ports.workingDirectory, vaultFlag);
  await ensureDirectory(disk, project, 0o700);
  await copyProject(ports, project);
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Ravel Demo'],
    ['config', 'user.email', 'demo@example.invalid'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Start a parser of durations'],
  ]) {
    await core.git(project, args);
  }
  if (!(await exists(disk, vault))) {
    await core.createVault(vault, 'demo');
    await lowerHeadroom(ports, vault, given['headroom-words']);
  }
  return { folder, project, vault };
}

async function copyProject({ disk, packageRoot }: Ports, project: string): Promise<void> {
  const source = join(packageRoot, 'demo', 'project');
  for (const path of await walkFiles(disk, source)) {
    await ensureDirectory(disk, join(project, path, '..'));
    await copyFileAtomic(disk, join(source, path), join(project, path));
  }
}

/** A vault of the demo's own dreams early, so that the cycle shows all its phases. */
async function lowerHeadroom({ disk, core }: Ports, vault: string, words: number): Promise<void> {
  const file = join(vault, 'daemon.toml');
  const text = await readText(disk, file);
  const lowered = text.replace(/^#? *headroom-words = .*$/m, `headroom-words = ${words}`);
  assert(lowered !== text, 'the settings of a new vault name every key');
  await writeAtomic(disk, file, lowered);
  await core.git(vault, ['add', 'daemon.toml']);
}

async function fillPlan(api: Api, plan: QualifiedId, { tasks, memory }: DemoPlan): Promise<void> {
  for (const args of tasks) await api.request('state', { plan, verb: 'backlog/add', args });
  for (const args of memory) {
    await api.request('state', { plan, verb: 'memory/add', args: { ...args, source: 'decision' } });
  }
}

async function tasksOf(api: Api, plan: QualifiedId): Promise<Records> {
  const { result } = await api.request('state', { plan, verb: 'backlog/list', args: {} });
  return z.looseObject({ tasks: recordsSchema }).parse(result).tasks;
}

async function memoryOf(api: Api, plan: QualifiedId): Promise<Records> {
  const { result } = await api.request('state', { plan, verb: 'memory/list', args: {} });
  return z.looseObject({ entries: recordsSchema }).parse(result).entries;
}

function describe({ style, columns }: CommandContext, { report, tasks, memory, commits }: Ended): string[] {
  const ids = (list: Records) => new Set(list.map((record) => record.id));
  const [tasksAfter, memoryBefore, memoryAfter] = [ids(tasks.after), ids(memory.before), ids(memory.after)];
  const gone = tasks.before.filter((task) => !tasksAfter.has(task.id));
  const merged = memory.before.filter((entry) => !memoryAfter.has(entry.id));
  return [
    ...formatRunSummary(report, style, columns),
    '',
    style.strong('Backlog'),
    ...gone.map((task) => `  ${style.good('✓')} ${task.title} (done and gone)`),
    ...tasks.after.map((task) => `  · ${task.title} (${task.status ?? 'unknown'})`),
    '',
    style.strong('Memory'),
    ...memory.after.map((entry) => `  ${memoryBefore.has(entry.id) ? '·' : style.good('+')} ${entry.title}`),
    ...merged.map((entry) => `  ${style.accent('⤳')} ${entry.title} (merged into another)`),
    '',
    style.strong('History of the project'),
    ...commits.map((line) => `  ${line}`),
  ];
}

function whatToTry({ project, vault }: World): string[] {
  const rows = (heading: string, lines: readonly (readonly [string, string])[]) => {
    const width = Math.max(...lines.map(([command]) => command.length));
    return ['', heading, ...lines.map(([command, meaning]) => `  ${command.padEnd(width)}   ${meaning}`.trimEnd())];
  };
  return [
    ...rows('To look at:', [
      [`git -C ${project} log -p`, 'what was changed, commit by commit'],
      [join(project, 'ravel', 'project-root'), 'backlog, memory and session log, in plain files'],
    ]),
    ...rows('To try next (`npm link` puts ravel on your PATH):', [
      [`export RAVEL_VAULT=${vault}`, ''],
      ['ravel status duration', 'where the plan stands'],
      ['ravel logs duration', 'what the last session said and did'],
      ['ravel run duration --harness claude-code', 'the next task, by a real model'],
    ]),
  ];
}
