import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/json.ts';
import { failure } from '../../model/codes.ts';
import { isUlid } from '../../model/id.ts';
import type { Api, RequestParams, RequestResults } from '../../model/protocol.ts';
import { commandUse, type ToolExplanation } from '../../model/requests/policy.ts';
import { type SessionPurpose, sessionPurposes } from '../../model/sessionPurpose.ts';
import { finishTool, permitTool, recallTool } from '../../model/sessionTools.ts';
import { verbFromTool } from '../../model/verbs.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatExplanations, formatPolicy, formatPolicyImport, formatVerdicts } from '../render/policy.ts';

interface ExplainOptions {
  readonly tool?: string;
  readonly path?: string;
  readonly session?: string;
  readonly phase?: string;
  readonly model?: string;
  readonly confined?: true;
}

type Use = RequestParams<'explain_tools'>['uses'][number];

const help = `
Nothing is done: the gates judge, and the answer names the gate, the rule, its layer and its line.

Examples:
  $ ravel policy explain shop "npm publish"
  $ ravel policy explain shop --tool Edit --path docs/a.md
  $ ravel policy explain shop --session 01M0A9XQYJ6N8K3T5V7W9Y1Z2A    every call of a past session
`;

const verdictsHelp = `
The newest sessions come first. Of what is refused or asked about you see the reason, the gate and the rule with its line.

Examples:
  $ ravel policy verdicts shop --refused
  $ ravel policy verdicts 01M0A9XQYJ6N8K3T5V7W9Y1Z2A    every verdict of a session
`;

const importHelp = `
Reads .claude/settings.json and .claude/settings.local.json of the plan's project. Rules of a project hold for its plans
alone. Nothing that policy.yaml says is changed, and nothing is written without --write.

Examples:
  $ ravel policy import shop               shows the rules, and what cannot be taken over
  $ ravel policy import shop --write
  $ ravel policy import --user
`;

const groupHelp = `
Without PLAN, show and lint are about the rules of the vault alone.

Examples:
  $ ravel policy show shop                          the rules that hold for a plan, with layer and line
  $ ravel policy lint                               what is wrong with them, or doubtful
  $ ravel policy explain shop "npm publish"         what would be answered to a command
`;

export function addPolicyCommands(command: Command, start: Start): void {
  const policy = command
    .command('policy')
    .description('what sessions may do: show, check, try and import the rules of policy.yaml')
    .addHelpText('after', groupHelp);
  policy
    .command('show [plan]')
    .description('show the rules that hold, with their layer and line')
    .action((plan) => start((context) => show(context, plan)));
  policy
    .command('lint [plan]')
    .description('check the rules: what cannot be read, never decides, or misses what it seems to be about')
    .action((plan) => start((context) => lint(context, plan)));
  policy
    .command('explain <plan> [text]')
    .description('say what the gates would answer to a command, a use of a tool, or every call of a past session')
    .option('--tool <tool>', 'the tool: Read, Edit, Write, Grep and so on (default: Bash)')
    .option('--path <file>', 'the file that the tool would use')
    .option('--session <session>', 'judge the calls in the transcript of this session by the rules of now')
    .option('--phase <phase>', 'as in a session for this phase (default: work, or that of the session)')
    .option('--model <model>', 'as with this model (default: that of the plan for the phase)')
    .option('--confined', 'as in a sandbox')
    .addHelpText('after', help)
    .action((plan, text, options) => start((context) => explain(context, plan, text, options)));
  policy
    .command('verdicts [target]')
    .description('list what the gates said to the sessions of a plan, to one session, or to all')
    .option('--refused', 'only what was refused or asked about')
    .addHelpText('after', verdictsHelp)
    .action((target, options) => start((context) => verdicts(context, target, options)));
  policy
    .command('import [plan]')
    .description('suggest rules from the settings of Claude Code, and from gates.allowed-commands of daemon.toml')
    .option('--user', 'read ~/.claude/settings.json as well')
    .option('--write', 'add the rules to policy.yaml of the vault')
    .addHelpText('after', importHelp)
    .action((plan, options) => start((context) => importRules(context, plan, options)));
}

function verdicts(
  context: CommandContext,
  target: string | undefined,
  { refused = false }: { readonly refused?: boolean },
): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const about = target === undefined ? {} : isUlid(target) ? { session: target } : { plan: target };
    const result = await api.request('verdicts', { ...about, refused });
    context.result(result, formatVerdicts(result, context.style));
    return 0;
  });
}

function importRules(
  context: CommandContext,
  plan: string | undefined,
  { user = false, write = false }: { readonly user?: boolean; readonly write?: boolean },
): Promise<number> {
  return withApi(context.ports, context.globals.vault, write ? 'owner' : 'local', async ({ api }) => {
    const result = await api.request('import_policy', { user, write, ...defined({ plan }) });
    context.result(result, formatPolicyImport(result, context.style));
    return hasErrors(result) ? 1 : 0;
  });
}

function show(context: CommandContext, plan: string | undefined): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await api.request('policy', defined({ plan }));
    context.result(result, formatPolicy(result, context.style));
    return hasErrors(result) ? 1 : 0;
  });
}

function lint(context: CommandContext, plan: string | undefined): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const result = await api.request('policy', defined({ plan }));
    const { diagnostics } = result;
    const said = diagnostics.length === 0 ? ['The rules are sound.'] : formatDiagnostics(diagnostics, context.style);
    context.result(result, said);
    return hasErrors(result) ? 1 : 0;
  });
}

function hasErrors({ diagnostics }: Pick<RequestResults['policy'], 'diagnostics'>): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

function explain(
  context: CommandContext,
  plan: string,
  text: string | undefined,
  { tool, path, session, phase, model, confined }: ExplainOptions,
): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const past = session === undefined ? { uses: [givenUse(text, tool, path)] } : await pastSession(api, session);
    const { uses } = past;
    const about = { plan, ...defined({ model, harness: past.harness, phase: phaseNamed(phase) ?? past.phase }) };
    const explained: ToolExplanation[] = [];
    for (let at = 0; at < uses.length; at += usesMax) {
      const part = uses.slice(at, at + usesMax);
      const confinement = confined === true ? 'confined' : (past.confinement ?? 'unconfined');
      explained.push(...(await api.request('explain_tools', { ...about, confinement, uses: part })).explained);
    }
    context.result({ explained }, formatExplanations(explained, context.style));
    return 0;
  });
}

/** As many as one request takes. */
const usesMax = 200;

function givenUse(text: string | undefined, tool = 'Bash', path: string | undefined): Use {
  if (tool === 'Bash') {
    if (text === undefined) throw failure('cli/usage', 'explain', 'Say which command, or which --tool and --path.');
    return commandUse(text);
  }
  const file = path ?? text;
  if (file === undefined) throw failure('cli/usage', '--path', `Say which file ${tool} would use.`);
  return {
    tool,
    input: {
      [tool.startsWith('Notebook') ? 'notebook_path' : ['Glob', 'Grep', 'LS'].includes(tool) ? 'path' : 'file_path']:
        file,
    },
  };
}

function phaseNamed(text: string | undefined): SessionPurpose | undefined {
  const phase = sessionPurposes.find((one) => one === text);
  if (text === undefined || phase !== undefined) return phase;
  throw failure('cli/usage', '--phase', `"${text}" is not what a session is for: ${sessionPurposes.join(', ')}.`);
}

interface PastSession extends Partial<Pick<RequestParams<'explain_tools'>, 'phase' | 'harness' | 'confinement'>> {
  readonly uses: readonly Use[];
}

/** What a session was, and the calls that the gates judged; its session tools they did not. */
async function pastSession(api: Api, session: string): Promise<PastSession> {
  const uses: Use[] = [];
  let started: Omit<PastSession, 'uses'> = {};
  let from = 0;
  for (;;) {
    const { events, next } = await api.request('transcript', { session, from });
    for (const event of events) {
      if (event.type === 'session.started') {
        const { phase, harness, confinement } = event;
        started = { phase, harness, ...defined({ confinement: confinement?.state }) };
      }
      if (event.type !== 'session.output' || event.output.kind !== 'toolStarted') continue;
      const { tool, input } = event.output;
      if (!isSessionTool(tool) && isRecord(input)) uses.push({ tool, input });
    }
    if (next <= from || events.length === 0) return { ...started, uses };
    from = next;
  }
}

/** Harnesses of our own name them without the prefix that Claude Code gives them. */
function isSessionTool(tool: string): boolean {
  const prefix = 'mcp__ravel__';
  if (tool.startsWith(prefix)) return true;
  return [finishTool, permitTool, recallTool].includes(tool) || verbFromTool(tool) !== undefined;
}
