import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { exists } from '../base/files.ts';
import { encodeLine } from '../base/ndjson.ts';
import type { SessionPurpose } from '../model/sessionPurpose.ts';
import { permitTool } from '../model/sessionTools.ts';
import type { Settings } from '../model/settings.ts';
import type { HarnessAdapter, HarnessCommand, Login, SessionSpec } from './adapter.ts';
import { locateClaude } from './claudeProgram.ts';
import { claudeRepositoryPrograms } from './claudeRepository.ts';
import { claudeSettingsFile, formatClaudeSettings } from './claudeSettings.ts';
import { ClaudeRuns, sessionToolsMark, shellPrefix, shellSnapshots } from './claudeShell.ts';
import { ClaudeStreamParser, toolPrefix } from './claudeStream.ts';
import {
  type ClaudeTranscriptPlace,
  ClaudeTranscripts,
  claudeTranscriptId,
  claudeTranscriptsFile,
} from './claudeTranscripts.ts';
import { recordedClaudeCode } from './recordedClaudeCode.ts';
import { createVocabularyParser } from './scripted.ts';
import { writesInWorkAlone } from './writes.ts';

/** What the program may do by itself in a session: no more than its phase or its purpose needs. */
interface Profile {
  readonly tools: readonly string[];
  /** Whether it may look into the project although it does not run there. */
  readonly seesProject: boolean;
}

const sessionToolsOnly: Profile = { tools: [], seesProject: false };

const profiles: Readonly<Record<SessionPurpose, Profile>> = {
  work: { tools: ['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep'], seesProject: false },
  'analyse-work': { tools: ['Read', 'Glob', 'Grep'], seesProject: true },
  reflect: sessionToolsOnly,
  dream: sessionToolsOnly,
  triage: sessionToolsOnly,
  route: { tools: ['Read', 'Glob', 'Grep'], seesProject: true },
  check: sessionToolsOnly,
  answer: sessionToolsOnly,
  facts: sessionToolsOnly,
  absorb: sessionToolsOnly,
  horizon: sessionToolsOnly,
  plan: sessionToolsOnly,
};

/** The session tools as the program names them; they are ours, so they need no permission. */
const ownTools = `${toolPrefix}*`;

/**
 * Variables of Claude Code's own that a session may inherit: where it keeps its login, which service it talks to, how
 * long it waits. What a surrounding Claude Code session sets for its children is not among them.
 */
const environmentNames = [
  'ANTHROPIC_*',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'CLAUDE_CODE_CLIENT_*',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_SKIP_*',
  'CLAUDE_CODE_USE_*',
  'API_TIMEOUT_MS',
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_TIMEOUT_MS',
  'MAX_THINKING_TOKENS',
  'NODE_EXTRA_CA_CERTS',
];

/** Set for every session: no calls home, no updates in the middle, and the session tools listed instead of searched. */
const environment = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  ENABLE_TOOL_SEARCH: 'false',
  // Without it a folder that one command changes to is where the next one runs, and the gate would judge from another.
  CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
  // The session tools may have to wait for an owner before they answer at all.
  MCP_TIMEOUT: '120000',
};

/** In a terminal: the record of its talk is what its tool calls are checked by, so a person's wish for none does not count. */
const recording = { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '0' };

/** Claude Code without a terminal: prompt on standard input, stream-json on standard output. */
export function createClaudeCodeAdapter(disk: Disk): HarnessAdapter {
  return {
    name: 'claude-code',
    capabilities: {
      writes: writesInWorkAlone,
      reportsCost: true,
    },
    environmentNames,
    versionArguments: ['--version'],
    oldestVersion: '2.1.0',
    recordings: recordedClaudeCode,
    repositoryPrograms: claudeRepositoryPrograms,
    readableFolders: (inherited) => shellSnapshots(inherited),
    findLogin: (inherited) => findLogin(disk, inherited),
    locate: (settings, inherited) => locateClaude(disk, settings.harnesses['claude-code'].program, inherited),
    command,
    createParser: () => new ClaudeStreamParser(),
    openRuns: (from, sessionDirectory) => new ClaudeRuns(from, sessionDirectory),
    interactive: {
      command: terminalCommand,
      createParser: createVocabularyParser,
      openRecord: (from, sessionDirectory) => new ClaudeTranscripts(from, sessionDirectory),
    },
  };
}

function command(spec: SessionSpec, program: string, settings: Settings): HarnessCommand {
  const prefix = shellPrefix(spec);
  return {
    program,
    args: [...headlessArguments(spec), ...sharedArguments(spec, settings)],
    environment: {
      ...environment,
      // A verdict on a finished phase can take minutes; the session's own limit is the only one that counts.
      MCP_TOOL_TIMEOUT: String(Math.ceil(spec.limits.timeMs)),
      ...prefix?.environment,
    },
    stdin: join(spec.sessionDirectory, 'prompt.md'),
    files: { [mcpFile(spec)]: mcpConfiguration(spec), [claudeSettingsFile(spec)]: formatClaudeSettings(spec) },
    ...(prefix !== undefined && { programs: prefix.programs, recordsRuns: true }),
  };
}

/**
 * The same with a person at the terminal, who is asked what the gates leave open. The prompt goes with the system prompt:
 * so it outlives what the program forgets of a long talk, and the terminal begins with a few words instead of pages.
 */
function terminalCommand(
  spec: SessionSpec,
  program: string,
  settings: Settings,
  inherited: Readonly<Record<string, string | undefined>>,
): HarnessCommand {
  const { sessionDirectory, terminal } = spec;
  assert(terminal !== undefined, 'the session has a terminal');
  const headless = command(spec, program, settings);
  const id = claudeTranscriptId(spec.session);
  const projects = join(configurationFolder(inherited) ?? '', 'projects');
  const place: ClaudeTranscriptPlace = { projects, cwd: spec.cwd, id };
  return {
    ...headless,
    files: { ...headless.files, [join(sessionDirectory, claudeTranscriptsFile)]: encodeLine(place) },
    environment: { ...headless.environment, ...recording },
    args: [
      ...['--session-id', id, '--append-system-prompt-file', join(sessionDirectory, 'prompt.md')],
      ...sharedArguments(spec, settings),
      // The opening comes last, behind an option that takes one value: others would take it for one more of theirs.
      ...['--permission-mode', 'default', terminal.opening],
    ],
  };
}

function headlessArguments({ limits }: SessionSpec): string[] {
  return [
    ...['--print', '--output-format', 'stream-json', '--verbose'],
    // A session is never resumed.
    ...['--no-session-persistence', '--max-budget-usd', String(limits.costUsd)],
    ...['--permission-mode', 'default', '--permission-prompt-tool', `${toolPrefix}${permitTool}`],
  ];
}

function sharedArguments(spec: SessionSpec, settings: Settings): string[] {
  const { models, 'setting-sources': settingSources } = settings.harnesses['claude-code'];
  const { tools, seesProject } = profiles[spec.purpose];
  const { projectDirectory } = spec;
  const model = spec.model ?? models[spec.purpose] ?? models['default'];
  return [
    ...['--system-prompt-file', join(spec.sessionDirectory, 'system.md')],
    ...['--mcp-config', mcpFile(spec), '--strict-mcp-config'],
    ...['--setting-sources', settingSources, '--settings', claudeSettingsFile(spec)],
    // A session has no commands but its prompt.
    '--disable-slash-commands',
    ...(model === undefined ? [] : ['--model', model]),
    // Without a project there is nothing that it could read.
    ...['--tools', projectDirectory === undefined ? '' : tools.join(',')],
    ...['--allowedTools', ownTools],
    ...(seesProject && projectDirectory !== undefined ? ['--add-dir', projectDirectory] : []),
  ];
}

function mcpFile({ sessionDirectory }: SessionSpec): string {
  return join(sessionDirectory, 'mcp.json');
}

/** Holds no secret: the session tools inherit the session's environment. */
function mcpConfiguration({ mcpCommand, shell }: SessionSpec): string {
  const { program, args, environment } = mcpCommand;
  const added = { ...environment, ...(shell !== undefined && sessionToolsMark) };
  const hasAny = Object.keys(added).length > 0;
  const ravel = { type: 'stdio', command: program, args, ...(hasAny && { env: added }) };
  return `${JSON.stringify({ mcpServers: { ravel } }, undefined, 2)}\n`;
}

/** Each is a way to sign in; a session inherits them. */
const loginNames = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

/** Checks only that a login exists: its content is for the program alone. */
async function findLogin(disk: Disk, inherited: Readonly<Record<string, string | undefined>>): Promise<Login> {
  const name = loginNames.find((one) => (inherited[one] ?? '') !== '');
  if (name !== undefined) return { state: 'found', how: `${name} is set.` };
  const folder = configurationFolder(inherited);
  if (folder !== undefined && (await exists(disk, join(folder, '.credentials.json')))) {
    return { state: 'found', how: `A login is stored in ${folder}.` };
  }
  if (process.platform === 'darwin') {
    return { state: 'unknown', how: 'A login would be in the keychain, where only the program itself looks.' };
  }
  return { state: 'missing', how: 'No login is stored, and no key is in the environment.' };
}

/** Where the program keeps what it knows of its user. */
function configurationFolder(inherited: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = inherited['HOME'] ?? inherited['USERPROFILE'];
  return inherited['CLAUDE_CONFIG_DIR'] ?? (home === undefined ? undefined : join(home, '.claude'));
}
