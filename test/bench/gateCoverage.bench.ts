import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createVault } from '../../src/core.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { ClaudeTranscripts } from '../../src/harness/claudeTranscripts.ts';
import { Coverage } from '../../src/harness/coverage.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { ToolVerdicts } from '../../src/harness/toolVerdicts.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { isConsultation, type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';
import { permitArgsSchema, permitTool } from '../../src/model/sessionTools.ts';
import { toolsOfPhase } from '../../src/plans/sessions/sessionTools.ts';
import { startServer } from '../../src/server/server.ts';
import {
  claudeCodeEnvironment,
  claudeCodeProgram,
  claudeCodeSettings,
  purposeOfPrompt,
  signIn,
} from '../support/claudeCode.ts';
import { startModelServer } from '../support/modelServer.ts';
import { openCore } from '../support/openCore.ts';
import { type Bench, type BenchRow, round, sized } from './bench.ts';

/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const repository = process.cwd();
const settings = claudeCodeSettings(repository);
const nextUlid = createUlids(systemClock);
const purposes = sized<readonly SessionPurpose[]>(sessionPurposes, ['work', 'route']);
const sessionTools = new Set(['backlog_set_status', 'memory_add', 'finish_phase', permitTool]);

/** Calls over all tools: those that the program would allow by itself, those that it would ask about, and others. */
const steps = [
  { read: { path: 'a.txt' } },
  { read: { path: 'missing.txt' } },
  { call: 'Glob', with: { pattern: '*.txt' } },
  { call: 'Grep', with: { pattern: 'alpha', '-n': 'true' } },
  { call: 'LS', with: { path: '.' } },
  { run: { command: 'cat a.txt' } },
  { run: { command: 'echo hi; exit 3' } },
  { run: { command: 'git status' } },
  { call: 'Bash', with: { command: 'true', description: 'nothing', timeout: '5000' } },
  { call: 'Bash', with: { command: 'true', run_in_background: true } },
  { run: { command: 'touch forbidden' } },
  { edit: { path: 'b.txt', content: 'one  \n' } },
  { edit: { path: 'a.txt', replace: 'alpha', with: 'beta' } },
  { edit: { path: 'a.txt', replace: 'absent', with: 'x' } },
  { call: 'WebFetch', with: { url: 'http://127.0.0.1:1/', prompt: 'x' } },
  { call: 'Task', with: { description: 'x', prompt: 'x', subagent_type: 'general-purpose' } },
  { call: 'NotebookEdit', with: { notebook_path: '/none.ipynb', new_source: 'x' } },
  { call: 'ToolOfATimeToCome', with: { x: 1 } },
  { call: 'memory_add', with: { title: 'x' } },
  { say: 'Done.' },
];

/**
 * The same for a session in a terminal, whose questions the real gates answer. What they leave open a person would be
 * asked, so there is nothing of that.
 */
const terminalSteps = [
  { read: { path: 'a.txt' } },
  { call: 'Glob', with: { pattern: '*.txt' } },
  { call: 'Grep', with: { pattern: 'alpha', output_mode: 'content' } },
  { run: { command: 'cat a.txt' } },
  { run: { command: 'ls missing' } },
  { run: { command: 'git status' } },
  { run: { command: 'git push' } },
  { read: { path: '.env' } },
  { edit: { path: 'b.txt', content: 'one\n' } },
  { edit: { path: 'a.txt', replace: 'alpha', with: 'beta' } },
  { edit: { path: 'a.txt', replace: 'absent', with: 'x' } },
  { call: 'ToolOfATimeToCome', with: { x: 1 } },
  { call: 'backlog_set_status', with: { id: 'first', status: 'done' } },
  { finish: { outcome: 'done', summary: 'Done.' } },
];

/** What a session did, and what that is held against. */
interface Played {
  readonly outputs: readonly HarnessOutput[];
  readonly coverage: Coverage;
}

/**
 * The share of the tool calls that ran, with the real Claude Code, in every profile and in a terminal, that have a verdict.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const toolServer = await bundleToolServer(root);
    const found = { ran: 0, covered: 0, refused: 0 };
    const gaps: string[] = [];
    for (const purpose of [...purposes, 'terminal'] as const) {
      const { outputs, coverage } =
        purpose === 'terminal' ? await playInTerminal(root) : await play(root, toolServer, purpose);
      for (const output of outputs) {
        const gap = coverage.take(output);
        if (gap !== undefined) gaps.push(`${purpose}: ${gap.tool} ${gap.problem}`);
        if (output.kind !== 'toolEnded') continue;
        if (output.ran === false) found.refused++;
        else found.ran++;
        if (output.ran !== false && gap === undefined) found.covered++;
      }
      const left = coverage.left();
      if (left !== undefined) gaps.push(`${purpose}: ${left.tool} ${left.problem}`);
    }
    const share = found.covered / found.ran;
    return {
      id: 'gate-coverage',
      value: round(share * 100, 1),
      unit: '% of the calls that ran',
      goal: '100',
      ok: share === 1 && gaps.length === 0,
      limit: 100,
      note:
        gaps[0] ??
        `${found.ran} calls ran in ${purposes.length} profiles and a terminal, ${found.refused} were refused`,
    };
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One session; its outputs, and the verdicts that were given to it. */
async function play(root: string, toolServer: string, purpose: SessionPurpose): Promise<Played> {
  const session = nextUlid() as Ulid;
  const home = join(root, session);
  const [sessionDirectory, project] = [join(home, 'session'), join(home, 'project')];
  await mkdir(sessionDirectory, { recursive: true });
  await mkdir(project);
  await writeFile(join(project, 'a.txt'), 'alpha\n');
  const systemPrompt = `You are at work in a bench. phase: ${purpose}\n`;
  await writeFile(join(sessionDirectory, 'system.md'), systemPrompt);
  await writeFile(join(sessionDirectory, 'prompt.md'), 'Do the task.\n');
  const played = isConsultation(purpose)
    ? { consultations: { [purpose]: [{ steps }] } }
    : { phases: { [purpose]: steps } };
  const { scenario } = parseScenario(JSON.stringify({ version: 1, ...played }), 'bench.yaml');
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const model = await startModelServer({ scenario, projectDirectory: project });
  try {
    const environment = claudeCodeEnvironment(home, model.url);
    const ports = { disk: nodeDisk, clock: systemClock, processes: createProcesses(nodeDisk) };
    const host = createSessionHost({ ...ports, environment, settings, log: silentLogger });
    const spec = {
      ...{ session, sessionDirectory, systemPrompt, purpose, actor: toQualifiedId('Demo/project-root') },
      ...{ cwd: project, projectDirectory: project, vault: root, socketPath: '/none', token: 'token' },
      mcpCommand: { program: process.execPath, args: [toolServer] },
      limits: { timeMs: 120_000, outputBytes: 1e8, costUsd: 10, orphanMs: 60_000, orphanAfterStopMs: 60_000 },
    };
    const running = await host.start(createClaudeCodeAdapter(nodeDisk), spec, new AbortController().signal);
    const outputs: HarnessOutput[] = [];
    for await (const output of running.outputs) outputs.push(output);
    const verdicts = await givenVerdicts(sessionDirectory);
    return { outputs, coverage: new Coverage({ verdicts, sessionTools, folders: [project] }) };
  } finally {
    await model.close();
  }
}

/** A work phase in a terminal; what the program's own record tells of it, and the verdicts that the gates gave. */
async function playInTerminal(root: string): Promise<Played> {
  const home = join(root, 'terminal');
  const [vault, project] = [join(home, 'vault'), join(home, 'demo')];
  const closing: (() => Promise<void>)[] = [];
  try {
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'a.txt'), 'alpha\n');
    await writeFile(join(project, '.env'), 'TOKEN=none\n');
    const scenario = parseScenario(JSON.stringify({ version: 1, phases: { work: terminalSteps } }), 'bench.yaml');
    if (scenario.scenario === undefined) throw new Error('the scenario did not parse');
    const model = await startModelServer({
      ...{ scenario: scenario.scenario, projectDirectory: project, purposeOf: purposeOfPrompt },
    });
    closing.push(() => model.close());
    const environment = { ...claudeCodeEnvironment(home, model.url), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
    await signIn({ project }, environment);
    await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
    const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project, env: environment });
    await git('init', '--quiet', '--initial-branch=main');
    await git('commit', '--quiet', '--allow-empty', '--message=Start');
    const ports = { disk: nodeDisk, clock: systemClock };
    await createVault({ root: vault, name: 'bench', version: '0.0.0', ...ports, environment });
    const program = JSON.stringify(claudeCodeProgram(repository));
    const limits = '[limits]\nexit-grace-seconds = 1\n';
    await writeFile(join(vault, 'daemon.toml'), `${limits}[harnesses.claude-code]\nprogram = ${program}\n`);
    const core = await openCore({ vault, environment }, { packageRoot: repository, sessions: 'processes' });
    closing.push(() => core.stop());
    const { api, socketPath, sessionSocketPath } = core;
    const server = await startServer({ api, socketPath, sessionSocketPath, ...ports, log: silentLogger });
    closing.push(() => server.stop());
    const { plan } = await api.request('adopt', { project, description: 'Stands for a real plan' });
    await writeFile(join(project, 'ravel/project-root/backlog.yaml'), backlog);
    const ended = new Promise<string>((resolve) => {
      api.onEvent((event) => event.type === 'phase.ended' && resolve(event.session ?? ''));
    });
    const size = { columns: 110, rows: 35 };
    await api.request('open_terminal', { kind: 'work', plan, harness: 'claude-code', size });
    const sessionDirectory = join(vault, 'runtime/sessions', await ended);
    const outputs: HarnessOutput[] = [];
    for await (const output of new ClaudeTranscripts(nodeDisk, sessionDirectory).read(true)) outputs.push(output);
    if (outputs.length === 0) throw new Error('the session in a terminal left no record');
    const verdicts = await ToolVerdicts.open(nodeDisk, sessionDirectory);
    const tools = new Set(toolsOfPhase('work', 'claude-code').map(({ name }) => name));
    return { outputs, coverage: new Coverage({ verdicts, sessionTools: tools, folders: [project] }) };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

const backlog = `tasks:
  - id: first
    title: First
    category: core
    status: not_started
    dependencies: []
    description: |
      Do it.
`;

/** What the stand-in for the session tools answered, which denies what is `forbidden`. */
async function givenVerdicts(sessionDirectory: string): Promise<ToolVerdicts> {
  const verdicts = await ToolVerdicts.open(nodeDisk, sessionDirectory);
  const calls = await readFile(join(sessionDirectory, 'calls'), 'utf8');
  for (const line of calls.trim().split('\n')) {
    const { tool, input } = JSON.parse(line);
    if (tool !== permitTool) continue;
    const isForbidden = JSON.stringify(input).includes('forbidden');
    await verdicts.answer(permitArgsSchema.parse(input), async () =>
      isForbidden ? { decision: 'deny', reason: 'This is forbidden here.' } : { decision: 'allow' },
    );
  }
  return verdicts;
}

async function bundleToolServer(root: string): Promise<string> {
  const outfile = join(root, 'toolServer.mjs');
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [join(repository, 'test/fixtures/harness/toolServer.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', banner: { js } },
  });
  return outfile;
}

export const benches: readonly Bench[] = [{ id: 'gate-coverage', usesBuild: true, run }];
