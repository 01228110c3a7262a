import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import {
  beginDemo,
  buildDemo,
  type DemoPlace,
  type DemoPlan,
  demoProject,
  demoScenario,
  loadDemoPlan,
} from '../../access/demoVault.ts';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { exists, removeTree } from '../../base/files.ts';
import { shellWord } from '../../base/text.ts';
import { createUlids } from '../../base/ulid.ts';
import { claudeInstallation } from '../../model/claudeInstallation.ts';
import { failure } from '../../model/codes.ts';
import { type HarnessName, scenarioHarness, usualHarness } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import type { CycleReport } from '../../model/requests/runs.ts';
import { defaultSettings } from '../../model/settings.ts';
import type { CommandContext } from '../context.ts';
import type { Ports } from '../ports.ts';
import { formatCommandRows } from '../render/commandRows.ts';
import { formatRunSummary } from '../render/reports.ts';
import { wrap } from '../render/text.ts';
import { askExperts, formatAsked, prepareExperts, whenLearned } from './demoExperts.ts';
import { exitOfStop, harnessName, watchRun } from './runs.ts';

export interface DemoOptions {
  readonly harness: string;
  readonly keep?: boolean;
  readonly scenario?: string;
  readonly experts?: boolean;
}

interface World extends DemoPlace {
  readonly folder: string;
}

/** Records of a plan's state file as the demo shows them. */
const recordsSchema = z.array(z.looseObject({ id: z.string(), title: z.string(), status: z.string().optional() }));
type Records = z.infer<typeof recordsSchema>;

interface Ended {
  readonly report: CycleReport;
  readonly tasks: { readonly before: Records; readonly after: Records };
  readonly memory: { readonly before: Records; readonly after: Records };
}

/** One whole cycle in a small real project with a red test, in a folder of its own. Exit code 0 when the cycle ended. */
export async function demo(context: CommandContext, options: DemoOptions): Promise<number> {
  const { ports, globals } = context;
  const harness = harnessName(options.harness);
  const given = await loadDemoPlan(ports);
  const scenario = resolve(ports.workingDirectory, options.scenario ?? demoScenario(ports));
  const how = harness === scenarioHarness ? { harness, scenario } : { harness };
  const withExperts = options.experts === true;
  if (withExperts && (harness !== scenarioHarness || globals.vault !== undefined)) {
    throw failure('cli/usage', '--experts', 'The experts of the demo are scripted, and need a vault of their own.', {
      help: 'Leave out --harness and --vault; add --keep to keep the folder.',
    });
  }
  const world = planWorld(ports, globals.vault);
  // Before anything is made, so that nothing is left behind.
  await checkWorld(ports, world, how);
  await buildDemo(ports, world, given);
  if (withExperts) await prepareExperts(ports, world);
  context.note([`A project with a failing test, and a vault, in ${world.folder}`]);
  const ran = { world, given, how, withExperts };
  let ended: Ended | undefined;
  let code = 1;
  try {
    code = await runDemo(context, ran, (result) => {
      ended = result;
    });
  } finally {
    if (code !== 0) context.note(['', ...describeUnfinished(ran, ended)]);
  }
  if (code !== 0) return code;
  if (options.keep === true || globals.vault !== undefined) {
    context.note(whatToTry(world, context.columns));
    return code;
  }
  await removeTree(ports.disk, world.folder);
  const keep =
    'The folder was removed; `ravel demo --keep` (without ravel on your PATH: `npm run demo -- --keep`) keeps it, so that you can look around.';
  context.note(['', ...wrap(keep, context.columns)]);
  return code;
}

interface Ran {
  readonly world: World;
  readonly given: DemoPlan;
  readonly how: { readonly harness: HarnessName; readonly scenario?: string };
  readonly withExperts: boolean;
}

async function runDemo(context: CommandContext, ran: Ran, onEnd: (ended: Ended) => void): Promise<number> {
  const { world, given, how, withExperts } = ran;
  return withApi(context.ports, world.vault, 'runner', async ({ api, role }) => {
    const plan = await beginDemo(api, world, given);
    const learned = whenLearned(api);
    return watchRun(context, { api, role }, plan, async (_api, _plan, signal) => {
      const tasks = await tasksOf(api, plan);
      const memory = await memoryOf(api, plan);
      const report = await api.request('run_cycle', { plan, ...how }, signal);
      const ended: Ended = {
        report,
        tasks: { before: tasks, after: await tasksOf(api, plan) },
        memory: { before: memory, after: await memoryOf(api, plan) },
      };
      onEnd(ended);
      const isDone = withExperts && exitOfStop[report.stop] === 0;
      const asked = isDone ? await askExperts(context, api, world, await learned) : undefined;
      const lines = asked === undefined ? [] : formatAsked(asked, context);
      context.result({ ...world, plan, ...ended, ...defined({ asked }) }, [
        ...describe(context, plan, ended),
        ...lines,
      ]);
      return exitOfStop[report.stop];
    });
  });
}

function planWorld(ports: Ports, vaultFlag: string | undefined): World {
  const named = vaultFlag === undefined ? undefined : resolve(ports.workingDirectory, vaultFlag);
  // What is to stay is not put where a restart removes it.
  const place = named === undefined ? ports.temporaryDirectory : dirname(named);
  const folder = join(place, `ravel-demo-${createUlids(ports.clock)().slice(-8).toLowerCase()}`);
  const vault = named ?? join(folder, 'vault');
  return { folder, project: join(folder, demoProject), vault };
}

async function checkWorld(ports: Ports, { vault }: World, { harness, scenario }: Ran['how']): Promise<void> {
  const { disk } = ports;
  if (scenario !== undefined && !(await exists(disk, scenario))) {
    throw failure('cli/noFile', '--scenario', `There is no file ${scenario}.`, { help: 'Name a file that exists.' });
  }
  if (await exists(disk, vault)) return checkVault(ports, vault);
  // A vault that is there has settings of its own, which may name another program.
  const own = defaultSettings.harnesses[harness];
  if ('program' in own) await checkProgram(ports, own.program);
}

async function checkVault(ports: Ports, vault: string): Promise<void> {
  const { plans } = await withApi(ports, vault, 'local', ({ api }) => api.request('list', {}));
  if (!plans.some(({ plan }) => plan.split('/')[0] === demoProject)) return;
  throw failure('cli/usage', '--vault', `The vault ${vault} has a project "${demoProject}" already.`, {
    help: `Continue with \`ravel run ${demoProject} --vault ${shellWord(vault)}\`, or name a folder that does not exist yet.`,
  });
}

async function checkProgram({ disk, environment }: Ports, program: string): Promise<void> {
  for (const directory of (environment['PATH'] ?? '').split(delimiter)) {
    if (isAbsolute(directory) && (await exists(disk, join(directory, program)))) return;
  }
  throw failure('harness/missing', program, `There is no program ${program} on PATH.`, {
    help: `Install it (Claude Code: \`${claudeInstallation}\`), or leave out --harness to run the demo without a model.`,
  });
}

async function tasksOf(api: Api, plan: QualifiedId): Promise<Records> {
  const { result } = await api.request('state', { plan, verb: 'backlog/list', args: {} });
  return z.looseObject({ tasks: recordsSchema }).parse(result).tasks;
}

async function memoryOf(api: Api, plan: QualifiedId): Promise<Records> {
  const { result } = await api.request('state', { plan, verb: 'memory/list', args: {} });
  return z.looseObject({ entries: recordsSchema }).parse(result).entries;
}

function describe(context: CommandContext, plan: QualifiedId, { report, tasks, memory }: Ended): string[] {
  const { style, columns } = context;
  const ids = (list: Records) => new Set(list.map((record) => record.id));
  const [tasksAfter, memoryBefore, memoryAfter] = [ids(tasks.after), ids(memory.before), ids(memory.after)];
  const gone = tasks.before.filter((task) => !tasksAfter.has(task.id));
  const merged = memory.before.filter((entry) => !memoryAfter.has(entry.id));
  return [
    ...formatRunSummary(plan, report, style, columns),
    '',
    style.strong('Backlog'),
    ...gone.map((task) => `  ${style.good('✓')} ${task.title} (done and removed)`),
    ...tasks.after.map((task) => `  · ${task.title} (${task.status ?? 'unknown'})`),
    '',
    style.strong('Memory'),
    ...memory.after.map((entry) => `  ${memoryBefore.has(entry.id) ? '·' : style.good('+')} ${entry.title}`),
    ...merged.map((entry) => `  ${style.accent('⤳')} ${entry.title} (merged into another)`),
  ];
}

/** What a person can do about a run that broke off; `ended` is missing if it gave no report. */
function describeUnfinished({ world, how }: Ran, ended: Ended | undefined): string[] {
  const again = how.scenario === undefined ? `--harness ${how.harness}` : `--scenario ${shellWord(how.scenario)}`;
  const asks = ended?.report.stop === 'waiting' || ended?.report.stop === 'budget';
  const next = asks
    ? [`ravel status ${demoProject}`]
    : [`ravel retry ${demoProject} ${again}`, `ravel dismiss ${demoProject}`];
  return [
    'Kept, because the run did not finish. To remove it:',
    `  rm -rf ${shellWord(world.folder)}`,
    asks ? 'To see what it is waiting for:' : 'To try the phase again, or to drop its proposal:',
    `  export RAVEL_VAULT=${shellWord(world.vault)}`,
    ...next.map((command) => `  ${command}`),
  ];
}

function whatToTry({ project, vault }: World, columns: number): string[] {
  return [
    '',
    ...formatCommandRows(
      'To look at:',
      [
        [`git -C ${shellWord(project)} log -p`, 'what was changed, commit by commit'],
        [join(project, 'ravel', 'project-root'), 'backlog, memory and session log'],
      ],
      columns,
    ),
    '',
    ...formatCommandRows(
      'To try next (`npm link` puts ravel on your PATH):',
      [
        [`export RAVEL_VAULT=${shellWord(vault)}`, ''],
        [`ravel status ${demoProject}`, 'the state of the plan'],
        [`ravel logs ${demoProject}`, 'what the last session said and did'],
        [`ravel run ${demoProject} --harness ${usualHarness}`, 'the next task, by a real model'],
      ],
      columns,
    ),
  ];
}
