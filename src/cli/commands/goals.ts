import { randomUUID } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type OpenApi, resolvePlan, withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { readText, removeTree, writeAtomic } from '../../base/files.ts';
import { isWithin } from '../../base/paths.ts';
import { plural, shellWord } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import { type HarnessName, harnessNames, scenarioHarness } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import { nearestNames } from '../../model/nearest.ts';
import { emptyProposal } from '../../model/planProposal.ts';
import type { Api, RequestParams } from '../../model/protocol.ts';
import type { ProposedResult } from '../../model/requests/goals.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { interruptExitCodes, interruptible } from '../interrupt.ts';
import { formatCommandRows, type LabelledCommand } from '../render/commandRows.ts';
import { wrap } from '../render/text.ts';
import { TranscriptReader } from '../transcriptReader.ts';

interface PlanFlags {
  readonly project?: string;
  readonly under?: string;
  readonly harness?: HarnessName;
  readonly scenario?: string;
  readonly from?: string;
  readonly empty?: boolean;
  readonly answered?: string;
}

const help = `
A fresh session that can only read looks at the project and proposes plans and tasks. Nothing is written before you
accept: see the proposal with \`ravel approvals show\`, change it with \`ravel approvals edit\`. Without --project or --under,
the project is the one of this folder, or the only one of the vault.

By hand, without a model: --from reads a Markdown list, a proposal as YAML, or issues as JSON; --empty opens your editor.

Examples:
  $ ravel plan "People can search the shop by colour and size"
  $ ravel plan "Pay with a gift card" --under shop/project-root/checkout --harness claude-code
  $ ravel plan "Try it without a model" --harness scripted
  $ ravel plan --project shop --from roadmap.md
  $ gh issue list --json number,title,body,labels | ravel plan --project shop --from -
  $ ravel plan --project shop --empty
`;

export function addGoalCommands(program: Command, start: Start): void {
  program
    .command('plan [goal]')
    .description('propose plans and tasks for a goal, for you to edit and accept')
    .option('--project <name>', 'the project that the goal is for')
    .option('--under <plan>', 'the plan that new plans and tasks go under')
    .addOption(new Option('--harness <name>', 'the harness to use instead of the configured one').choices(harnessNames))
    .option('--scenario <file>', 'what the scripted harness plays; without it three tasks that fit any goal')
    .option('--from <file>', 'propose what a list, YAML or JSON says; - reads standard input')
    .option('--empty', 'write the proposal in your editor')
    .option('--answered <id>', 'continue with the answers to a question that was accepted')
    .addHelpText('after', help)
    .action((goal, flags: PlanFlags) => start((context) => plan(context, goal, flags)));
}

async function plan(context: CommandContext, goal: string | undefined, flags: PlanFlags): Promise<number> {
  const { from, empty, answered, project, under } = flags;
  const given = [goal, from, empty === true ? '--empty' : undefined, answered].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw failure('cli/usage', 'plan', 'Give one of these: a goal, --from FILE, --empty, or --answered ID.');
  }
  if (project !== undefined && under !== undefined) {
    throw failure('cli/usage', '--under', 'Give --project or --under: a plan names its project.');
  }
  if (answered !== undefined) return continueGoal(context, answered);
  if (goal !== undefined) return planGoal(context, goal, flags);
  return from === undefined ? writeByHand(context, flags) : handIn(context, flags, from);
}

async function planGoal(context: CommandContext, goal: string, flags: PlanFlags): Promise<number> {
  const { harness, scenario } = flags;
  if (scenario !== undefined && harness !== undefined && harness !== scenarioHarness) {
    throw failure('cli/usage', '--scenario', `Only the harness ${scenarioHarness} plays a scenario.`);
  }
  const played = scenario === undefined ? undefined : resolve(context.ports.workingDirectory, scenario);
  const ask = (file: string | undefined) => {
    const paramsOf = async (api: Api) => ({
      under: await findPlan(context, api, flags),
      goal,
      ...defined({ harness: file === undefined ? harness : scenarioHarness, scenario: file }),
    });
    return askSession(context, paramsOf);
  };
  if (harness !== scenarioHarness || scenario !== undefined) return ask(played);
  try {
    return await ask(undefined);
  } catch (error) {
    // The settings of the vault name none either, so what a person sees is how a proposal is reviewed.
    if (!isRavelError(error, 'harness/noScenario')) throw error;
    context.note(['No model is used: the proposal is a sample that fits any goal.']);
    return ask(join(context.ports.packageRoot, 'demo', 'rehearsal.yaml'));
  }
}

/** Starts a new session with the answers to a question, and shows what it proposes. */
export function continueGoal(context: CommandContext, answered: string): Promise<number> {
  return askSession(context, async () => ({ answered: answered.toUpperCase() }));
}

async function askSession(
  context: CommandContext,
  paramsOf: (api: Api) => Promise<RequestParams<'plan_goal'>>,
): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'runner', async (open) => {
    const params = await paramsOf(open.api);
    const subscription = watchSession(context, open);
    const stopping = new AbortController();
    try {
      const outcome = await interruptible(
        ports,
        (signal) => open.api.request('plan_goal', params, AbortSignal.any([signal, stopping.signal])),
        (interrupt) => stopping.abort(new Error(`interrupted by ${interrupt}`)),
      );
      if (outcome.kind === 'interrupted') return interruptExitCodes[outcome.interrupt];
      showProposed(context, outcome.value);
      return 0;
    } finally {
      subscription.dispose();
    }
  });
}

/** Shows what the session of a goal reads and says. */
function watchSession(context: CommandContext, { api }: Pick<OpenApi, 'api'>) {
  const reader = new TranscriptReader(api, (event) => context.event(event));
  const sessions = new Set<string>();
  reader.goLive();
  return api.onEvent((event) => {
    // What its tools tell the session is not for the person, who sees the proposal right after.
    if (event.type === 'session.verb' && event.applied) return;
    if (event.type === 'session.started' && event.phase === 'plan') {
      if (sessions.size === 0) {
        context.note(['A session looks at the project; nothing is written before you accept.']);
      }
      sessions.add(event.session);
    }
    if ('session' in event && event.session !== undefined && sessions.has(event.session)) reader.take(event);
  });
}

async function handIn(context: CommandContext, flags: PlanFlags, from: string): Promise<number> {
  const { ports, globals } = context;
  const text = await readGiven(ports, '--from', from);
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const source = from === '-' ? 'standard input' : basename(from);
    const under = await findPlan(context, api, flags);
    showProposed(context, await api.request('propose_plans', { under, text, source }));
    return 0;
  });
}

/** What is written in the editor is kept in its file until it is a proposal. */
async function writeByHand(context: CommandContext, flags: PlanFlags): Promise<number> {
  const { ports, globals } = context;
  // A private folder: in the shared one, another user could create a file under a name that is known in advance.
  const folder = join(ports.temporaryDirectory, `ravel-plan-${randomUUID()}`);
  await ports.disk.makeDirectory(folder, 0o700);
  const file = join(folder, 'proposal.yaml');
  await writeAtomic(ports.disk, file, emptyProposal, { permissions: 0o600 });
  context.close();
  const code = await ports.runEditor([file]);
  const text = await readText(ports.disk, file);
  if (text === emptyProposal) await removeTree(ports.disk, folder);
  if (code === 0 && text === emptyProposal) {
    context.result({ proposed: false }, ['Nothing was changed, so nothing is proposed.']);
    return 0;
  }
  if (code !== 0) {
    const why = `The editor ended with code ${code}`;
    const help = text === emptyProposal ? {} : { help: keptIn(file, flags) };
    throw failure('approval/notEdited', 'plan', `${why}, so nothing is proposed.`, help);
  }
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    try {
      const under = await findPlan(context, api, flags);
      showProposed(context, await api.request('propose_plans', { under, text, source: 'your text' }));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      const { code: why, subject, message } = error.diagnostic;
      throw failure(why as 'gate/refused', subject, message, { cause: error, file, help: keptIn(file, flags) });
    }
    await removeTree(ports.disk, folder);
    return 0;
  });
}

function keptIn(file: string, { project, under }: PlanFlags): string {
  const named = [
    ...(under === undefined ? [] : ['--under', under]),
    ...(project === undefined ? [] : ['--project', project]),
  ];
  const again = ['ravel plan --from', ...[file, ...named].map(shellWord)].join(' ');
  return `Your text is kept in ${file}; correct it, then \`${again}\`.`;
}

/** The plan that is named, that of the project around the working folder, or the only one. */
async function findPlan({ ports }: CommandContext, api: Api, { project, under }: PlanFlags): Promise<QualifiedId> {
  if (under !== undefined) return resolvePlan(api, under);
  const { projects } = await api.request('projects', {});
  if (project !== undefined)
    assertProject(
      project,
      projects.map(({ name }) => name),
    );
  if (project !== undefined) return resolvePlan(api, project);
  const here = await ports.disk.realPath(ports.workingDirectory).catch(() => ports.workingDirectory);
  const around = projects
    .filter(({ path }) => path !== undefined && isWithin(path, here))
    .sort((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0));
  const [only, ...others] = projects;
  const found = around[0] ?? (others.length === 0 ? only : undefined);
  return resolvePlan(api, found?.name);
}

/** Throws `project/unknown` with what was typed, and the name that was likely meant. */
function assertProject(named: string, known: readonly string[]): void {
  if (known.includes(named)) return;
  const [near] = nearestNames(named, known, 1);
  const message = `The vault has no project "${named}".`;
  throw failure('project/unknown', named, message, near === undefined ? {} : { help: `Did you mean "${near}"?` });
}

function showProposed(context: CommandContext, result: ProposedResult): void {
  const { approval, kind, subject, plans, tasks, notes, refused } = result;
  const id = shellWord(approval);
  const isQuestion = kind === 'goal-question';
  const [first = '', ...more] = wrap(subject, context.columns - 2);
  const next: LabelledCommand[] = isQuestion
    ? [[`ravel approvals accept ${id} --answer TEXT`, 'answers it; a new session then proposes']]
    : [
        [`ravel approvals show ${id}`, 'shows all of it'],
        [`ravel approvals accept ${id}`, 'makes it'],
        [`ravel approvals edit ${id}`, 'opens it in your editor first'],
        [`ravel approvals reject ${id}`, 'makes nothing'],
      ];
  context.result(result, [
    `${context.style.good('✓')} ${first}`,
    ...more.map((line) => `  ${line}`),
    ...(isQuestion ? [] : [`  ${plural(plans, 'plan')} with ${plural(tasks, 'task')}; nothing is written yet.`]),
    ...(refused === 0 ? [] : [`  ${plural(refused, 'earlier proposal')} of the session did not pass the checks.`]),
    ...notes.flatMap((note) =>
      wrap(note, context.columns - 4).map((line, at) => `${at === 0 ? '  - ' : '    '}${line}`),
    ),
    ...formatCommandRows('Next:', next, context.columns),
  ]);
}
