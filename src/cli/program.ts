import { Command } from 'commander';
import { describeHarness, harnessNames, scenarioHarness } from '../model/harnesses.ts';
import { descriptionLengthMax } from '../model/plan.ts';
import { addActorCommands } from './commands/actors.ts';
import { addApprovalCommands } from './commands/approvals.ts';
import { addChangesCommand } from './commands/changes.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDaemonCommands } from './commands/daemon.ts';
import { addDoctorCommands } from './commands/doctor.ts';
import { addExpertCommands } from './commands/experts.ts';
import { addGivenCommands } from './commands/given.ts';
import { addGoalCommands } from './commands/goals.ts';
import { addHistoryCommands } from './commands/history.ts';
import { addImportCommands } from './commands/imports.ts';
import { addIngestCommands } from './commands/ingest.ts';
import { addKnowledgeCommands } from './commands/knowledge.ts';
import { logs } from './commands/logs.ts';
import { assertSessionFlags, type ManualFlags, runManually } from './commands/manualRuns.ts';
import { addMessageCommands } from './commands/messages.ts';
import { addNextCommand } from './commands/next.ts';
import { addNotifyCommands } from './commands/notify.ts';
import { addOpenCommand } from './commands/open.ts';
import { dismiss, status, stop } from './commands/plans.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addProjectCommands } from './commands/projects.ts';
import { addReceiptCommands } from './commands/receipts.ts';
import { addRehearseCommand } from './commands/rehearse.ts';
import { addRelocationCommands } from './commands/relocations.ts';
import { addRouteCommand } from './commands/route.ts';
import { assertNextFlags, type RunNextFlags, runNext } from './commands/runNext.ts';
import { attach, retry, run } from './commands/runs.ts';
import { addSearchCommand } from './commands/search.ts';
import { addSecretsCommands } from './commands/secrets.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addSinceCommand } from './commands/since.ts';
import { addSnapshotCommands } from './commands/snapshots.ts';
import { addSpendingCommands } from './commands/spending.ts';
import { addStateCommands } from './commands/state.ts';
import { addSuggestionCommands } from './commands/suggestions.ts';
import { adopt, create, init, verify } from './commands/vaults.ts';
import { addWhyCommand } from './commands/why.ts';
import { type CommandContext, createContext, type Globals, type Start } from './context.ts';
import type { Ports } from './ports.ts';

export interface Program {
  readonly command: Command;
  /** Starts what no command names. */
  readonly start: Start;
  /** Exit code of the command that ran. */
  readonly exitCode: () => number;
  /** How the command that ran speaks; undefined until one runs. */
  readonly context: () => CommandContext | undefined;
}

const examples = `
Examples:
  $ ravel init ~/vault                              make a vault
  $ ravel adopt . --description "The parser of X"   adopt a project
  $ ravel plan "Search by colour" --project x        plans and tasks, for you to accept
  $ ravel state backlog add x --title "Fix the crash" --category bug
  $ ravel run x                                     one whole cycle, live
  $ ravel run x --phase work --task fix-the-crash   one phase
  $ ravel run x --json | jq .                       for a script: one object a line
  $ ravel demo                                      watch a cycle in a throw-away project

Name a plan by its id or by its project alone. Name the vault with --vault, RAVEL_VAULT or ~/.config/ravel/config.toml.
Exit codes: 0 done, 1 failed, 2 invalid, 3 not found, 4 refused, 5 conflict or waiting, 130 and 143 interrupted.
`;

const runHelp = `
Examples:
  $ ravel run x --cycles 3                         three cycles
  $ ravel run x                                    one cycle, or what is left of a paused run
  $ ravel run --next --cycles 10 --at-most 2       ten cycles of whichever plans come first, two at a time
  $ ravel run x --by-hand                          the next phase, in VISUAL or EDITOR
  $ ravel run x --by-hand --no-editor              open it and name the files
  $ ravel run x --by-hand --no-editor --finish --summary "Learned one thing"
`;

const statusHelp = `
READY counts tasks that can be started, BLOCKED those that are blocked or wait for other tasks, and NEW messages that
wait for triage: see \`ravel received PLAN\`. You can combine options.

Examples:
  $ ravel status                                   every plan
  $ ravel status x                                 one plan in full
  $ ravel status --waiting                         plans that need your answer
  $ ravel status --under x --ready --phase work    where work can start
`;

const demoHelp = `${example('demo', 'demo --harness claude-code --keep')}
With --vault DIR the demo creates the vault in DIR and the project beside it, and keeps everything.
It also keeps its folder if the run does not finish.
`;

/**
 * The command line as commander sees it; nothing is started before `parseAsync`. With the words of a command line, state
 * verbs that they do not name have no arguments: making them from their schemas takes a tenth of the time of a short command.
 */
export function createProgram(ports: Ports, words?: readonly string[]): Program {
  let exitCode = 0;
  let context: CommandContext | undefined;
  const start: Start = async (begin) => {
    context = createContext(ports, command.opts<Globals>());
    exitCode = await begin(context);
  };
  const { version, stdout, environment } = ports;
  const command = createCommands({ version, writeHelp: (text) => stdout.write(text), start, environment }, words);
  return { command, start, exitCode: () => exitCode, context: () => context };
}

interface CommandParts {
  readonly version: string;
  readonly writeHelp: (text: string) => void;
  readonly start: Start;
  readonly environment: Ports['environment'];
}

/** All commands, for a program that runs them or for one that only reads their table. */
export function createCommands(parts: CommandParts, words?: readonly string[]): Command {
  const { start, environment } = parts;
  const command = new Command('ravel');
  addGlobals(command, parts);
  command.commandsGroup('Projects and plans:');
  addVaultCommands(command, start);
  addGoalCommands(command, start);
  addImportCommands(command, start);
  addProjectCommands(command, start);
  addRelocationCommands(command, start);
  addExpertCommands(command, start);
  addReceiptCommands(command, start);
  command.commandsGroup('Status and runs:');
  addNextCommand(command, start);
  addRunCommands(command, start);
  command.commandsGroup('State, decisions and messages:');
  addStateCommands(command, start, { words, environment });
  addApprovalCommands(command, start);
  addSuggestionCommands(command, start);
  addMessageCommands(command, start);
  addRouteCommand(command, start);
  addSearchCommand(command, start);
  addKnowledgeCommands(command, start);
  addIngestCommands(command, start);
  addWhyCommand(command, start);
  addPolicyCommands(command, start);
  addActorCommands(command, start);
  command.commandsGroup('The vault as a whole:');
  addSinceCommand(command, start);
  addHistoryCommands(command, start);
  addChangesCommand(command, start);
  addSnapshotCommands(command, start);
  addGivenCommands(command, start);
  addSpendingCommands(command, start);
  addSettingsCommands(command, start);
  addDaemonCommands(command, start);
  addDoctorCommands(command, start);
  addNotifyCommands(command, start);
  addSecretsCommands(command, start);
  addOpenCommand(command, start);
  addOtherCommands(command, start);
  command.helpCommand('help [command]', 'the options and examples of a command');
  return command;
}

function addGlobals(command: Command, { version, writeHelp }: CommandParts): void {
  command
    .description('Runs many short, fresh coding sessions instead of one long one.')
    .version(version)
    .option('--vault <dir>', 'the vault to work in')
    .option('--json', 'one JSON object a line: events as they come, then the result or the error')
    .option('--no-color', 'no colours')
    .option('--quiet', 'results and errors only')
    .addHelpText('after', examples)
    .showSuggestionAfterError()
    .enablePositionalOptions(false)
    .exitOverride()
    .configureOutput({
      writeOut: writeHelp,
      // What is wrong with the arguments is told like every other error.
      writeErr: () => undefined,
    });
}

function addVaultCommands(command: Command, start: Start): void {
  command
    .command('init <dir>')
    .description('create a vault')
    .option('--name <name>', "the vault's name (default: the folder's name)")
    .option('--experts [ids...]', 'add experts that come with Ravel, and what they know: all, or those named')
    .option('--adopt <project>', 'adopt this project at once, as `ravel adopt` does')
    .option('--description <text>', `what that project is for, in at most ${descriptionLengthMax} characters`)
    .addHelpText(
      'after',
      example(
        'init ~/vault',
        'init ~/vault --adopt ~/code/shop --description "The shop\'s web service and its tests."',
        'init ~/vault --experts rust research',
      ),
    )
    .action((dir, options) => start((context) => init(context, dir, options)));
  command
    .command('adopt <dir>')
    .description('adopt a project: give it a root plan in this vault')
    .option('--description <text>', `one sentence of at most ${descriptionLengthMax} characters`)
    .option('--name <name>', "the project's name (default: the folder's name)")
    .addHelpText('after', example('adopt ~/code/shop --description "The shop\'s web service and its tests."'))
    .action((dir, options) => start((context) => adopt(context, dir, options)));
  command
    .command('create <plan>')
    .description('create a child plan, named <project>/project-root/<child>')
    .requiredOption('--description <text>', `one sentence of at most ${descriptionLengthMax} characters`)
    .addHelpText('after', example('create shop/project-root/search --description "Finding things in the shop"'))
    .action((plan, options) => start((context) => create(context, plan, options)));
  command
    .command('verify')
    .description('check every file of the vault')
    .addHelpText('after', example('verify'))
    .action(() => start(verify));
}

function addRunCommands(command: Command, start: Start): void {
  command
    .command('status [plan]')
    .description('show all plans, those that match the options, or one in full')
    .option('--under <plan>', 'a plan and those below it, or a whole project')
    .option('--phase <phase>', 'plans with this next phase')
    .option('--running', 'plans that are running a phase')
    .option('--waiting', 'plans that need your answer')
    .option('--faulted', 'plans with a file that cannot be read, or that were stopped after crashes')
    .option('--ready', 'plans with a task that can be started')
    .option('--text <text>', 'plans with this in their id or description')
    .option('--limit <n>', 'maximum number of plans to show')
    .option('--after <plan>', 'only plans after this one in the list')
    .addHelpText('after', statusHelp)
    .action((plan, options) => start((context) => status(context, plan, options)));
  withRunOptions(command.command('run [plan]').description('run one cycle, or one phase of it'))
    .option('--phase <phase>', 'one reasoning phase and the commit after it')
    .option('--cycles <n>', 'number of cycles')
    .option('--resume', 'only continue a paused run')
    .option('--next', 'cycles of many plans, in the order of `ravel next`, until nothing is ready')
    .option('--plans <plans>', 'with --next: only these plans, with commas between them')
    .option('--under <plan>', 'with --next: only a plan and those below it, or a whole project')
    .option('--at-most <n>', 'with --next: number of plans that run at the same time (default: 1)')
    .option('--by-hand', 'one phase in your own editor, on copies of the files that it can change')
    .option('--take-over', 'by hand: continue with what an unfinished phase had staged')
    .option('--finish', 'by hand: finish without asking once the editor is closed')
    .option('--drop', 'by hand: drop the phase without asking')
    .option('--outcome <outcome>', 'by hand: done, blocked or needs-input')
    .option('--summary <text>', 'by hand: what was done, in a sentence')
    .option('--unchanged', 'by hand: the phase is done although no file was changed')
    .option('--no-editor', 'by hand: do not open an editor, only name the files')
    .addHelpText('after', runHelp)
    .action((plan, options) => start((context) => runWithSessionOrManually(context, plan, options)));
  withRunOptions(command.command('retry [plan]').description('run the interrupted phase again'))
    .addHelpText('after', example('retry x'))
    .action((plan, options) => start((context) => retry(context, plan, options)));
  addRehearseCommand(command, start);
  command
    .command('dismiss <plan>')
    .description('drop the changes of an interrupted phase')
    .addHelpText('after', example('dismiss x'))
    .action((plan) => start((context) => dismiss(context, plan)));
  command
    .command('stop <plan>')
    .description('stop the run of a plan')
    .addHelpText('after', example('stop x'))
    .action((plan) => start((context) => stop(context, plan)));
  command
    .command('attach [plan]')
    .description('watch a run')
    .addHelpText('after', example('attach', 'attach x'))
    .action((plan) => start((context) => attach(context, plan)));
  command
    .command('logs [session-or-plan]')
    .description('show the transcript of a session')
    .option('--follow', 'keep showing new output')
    .addHelpText('after', example('logs x --follow'))
    .action((named, options) => start((context) => logs(context, named, options)));
}

function runWithSessionOrManually(
  context: CommandContext,
  plan: string | undefined,
  options: ManualFlags & RunNextFlags,
): Promise<number> {
  assertNextFlags(options);
  if (options.byHand === true) return runManually(context, plan, options);
  assertSessionFlags(options);
  if (options.next === true) return runNext(context, plan, options);
  return run(context, plan, options);
}

function withRunOptions(command: Command): Command {
  return command
    .option('--task <task>', 'the task of a work phase (default: the one in progress, else the first ready one)')
    .option('--harness <harness>', 'the harness to use instead of the configured one')
    .option('--scenario <file>', 'the scenario that the scripted harness plays');
}

function addOtherCommands(command: Command, start: Start): void {
  command
    .command('demo')
    .description('play one whole cycle in a throw-away project')
    .option('--harness <harness>', harnessChoices(), scenarioHarness)
    .option('--keep', 'keep the folder')
    .option('--scenario <file>', 'another scenario for the scripted harness')
    .option('--experts', 'then show how an expert takes in what was proven, and answers from it')
    .addHelpText('after', demoHelp)
    .action((options) => start(async (context) => (await import('./commands/demo.ts')).demo(context, options)));
  command
    .command('mcp')
    .description("serve the vault's tools to other agents, as an MCP server on standard input and output")
    .addHelpText('after', example('mcp --vault ~/vault'));
  addCompletionCommand(command, start);
  command
    .command('complete [words...]', { hidden: true })
    .description('the completions of a line, for the scripts of shells');
  command.command('hook', { hidden: true }).description('a step of an agent program in a terminal');
  command.command('terminal <file>', { hidden: true }).description('the program that holds a terminal');
  command.command('scripted <file>', { hidden: true }).description('the program of the scripted harness');
}

function harnessChoices(): string {
  return harnessNames.map((name) => `${name} (${describeHarness(name).about})`).join(' or ');
}

function example(...commands: readonly string[]): string {
  const lines = commands.map((command) => `  $ ravel ${command}\n`);
  return `\n${commands.length > 1 ? 'Examples' : 'Example'}:\n${lines.join('')}`;
}
