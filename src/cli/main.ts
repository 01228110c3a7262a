import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { createCorePort, readVersion } from '../access/corePort.ts';
import { systemClock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { toDisposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { visible, visibleJson } from '../base/fence.ts';
import { createLogger, isLogLevel } from '../base/log.ts';
import { nodeDisk } from '../base/nodeDisk.ts';
import { createProcesses } from '../harness/processTable.ts';
import type { terminateSession } from '../harness/terminate.ts';
import { namedEditor } from './editor.ts';
import { namedPager } from './pager.ts';
import type { Input, Output, Ports } from './ports.ts';

/** The process's side of the command line: everything global is bound here and handed down as ports. */
const clock = systemClock;
const disk = nodeDisk;
const processes = createProcesses(disk);
const { env: environment } = process;
/** Only the log of a daemon is kept; in other commands the user reads along, and diagnostics say what is wrong. */
const usualLevel = process.argv.includes('daemon') ? 'warn' : 'error';
const askedLevel = environment['RAVEL_DEBUG'] ? 'debug' : environment['RAVEL_LOG'];
const level = isLogLevel(askedLevel) ? askedLevel : usualLevel;
const log = createLogger({ clock, level, write: writeLog });

/** The file that starts the command line, and the folder that holds `prompts/` and `package.json`. */
interface Installed {
  readonly entryFile: string;
  readonly packageRoot: string;
}

/** Runs the command that this process was started with, and ends the process with its exit code. */
export async function startProgram(entryFile: string): Promise<never> {
  const installed = { entryFile, packageRoot: join(entryFile, '..', '..') };
  process.exitCode = await main(process.argv.slice(2), installed);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  return process.exit();
}

/** What harnesses start is begun at once, without the rest of the command line, which takes longer to load. */
async function main(args: readonly string[], installed: Installed): Promise<number> {
  const [command, file] = args;
  // The reader of our output can stop early, as `head` does.
  process.stdout.on('error', () => process.exit(0));
  const asksForHelp = args.includes('--help') || args.includes('-h');
  if (command === 'mcp' && !asksForHelp)
    return environment['RAVEL_SESSION'] === undefined ? vaultMcp(args, installed) : mcp(installed);
  if (command === 'hook') return hook();
  if (command === 'terminal' && file !== undefined) return terminal(file);
  if (command === 'scripted' && file !== undefined) return scripted(file);
  const { runCommandLine } = await import('./commandLine.ts');
  return runCommandLine(args, await createPorts(installed));
}

async function mcp({ packageRoot }: Installed): Promise<number> {
  const { runMcp } = await import('../mcp/mcp.ts');
  const { isRavelError } = await import('../base/errors.ts');
  const { stdin: input, stdout: output } = process;
  // Begun now, for a session can outlive the files of the version that started it; who needs it hears of a failure.
  const terminate = import('../harness/terminate.ts');
  terminate.catch(() => undefined);
  const endGroup = async (group: SessionProcesses) => endOwnGroup(group, (await terminate).terminateSession);
  try {
    await runMcp({ environment, input, output, clock, disk, version: await readVersion(packageRoot), endGroup });
    return 0;
  } catch (error) {
    const text = isRavelError(error) ? `${error.code}: ${error.message}` : String(error);
    process.stderr.write(`ravel mcp: ${visible(text)}\n`);
    return 1;
  }
}

/** The tools of a vault, for agents that do not run in one of its sessions. */
async function vaultMcp(args: readonly string[], { entryFile, packageRoot }: Installed): Promise<number> {
  const [{ serveVaultTools }, { SharedVault }, { openApi }, { isRavelError }] = await Promise.all([
    import('../mcp/vaultTools.ts'),
    import('../mcp/sharedVault.ts'),
    import('../access/openApi.ts'),
    import('../base/errors.ts'),
  ]);
  const { stdin: input, stdout: output } = process;
  const ports = { core: createCorePort({ environment, log, entryFile, packageRoot }), clock, disk, log };
  const at = args.indexOf('--vault');
  try {
    const root = await ports.core.findVault(at < 0 ? undefined : args[at + 1]);
    const vault = new SharedVault((access) => openApi(ports, root, access === 'own' ? 'runner' : 'local'));
    await serveVaultTools({ vault, clock, input, output, version: await readVersion(packageRoot) });
    return 0;
  } catch (error) {
    const text = isRavelError(error) ? `${error.code}: ${error.message}` : String(error);
    process.stderr.write(`ravel mcp: ${visible(text)}\n`);
    return 1;
  }
}

/**
 * This process is a member of the group that it ends, and has to outlive the first signal to send the second. No leader
 * is named: another process can have its number by now. Members are known by the session that they carry, as we do.
 */
async function endOwnGroup({ pid, session }: SessionProcesses, terminate: typeof terminateSession): Promise<void> {
  process.on('SIGTERM', () => undefined);
  await terminate({ clock, processes }, { pid, session });
}

interface SessionProcesses {
  readonly pid: number;
  readonly session: string;
}

/**
 * What a step of an agent program in a terminal calls; it reads the answer from our standard output. A tool that could not
 * be judged is not used: with any other exit code the program would go on.
 */
async function hook(): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const isToolUse = /"hook_event_name":\s?"PreToolUse"/.test(text);
  try {
    const { runHook } = await import('../mcp/hook.ts');
    const { readClaudeStep } = await import('../harness/claudeHooks.ts');
    const step = await readClaudeStep(text, { disk, environment });
    if (step === undefined && isToolUse)
      throw new Error('The description of this tool use does not have the form that Ravel expects.');
    if (step !== undefined) process.stdout.write(await runHook(step, { environment, clock, disk }));
    return 0;
  } catch (error) {
    process.stderr.write(`ravel hook: ${visible(messageOf(error))}\n`);
    // With 2, Claude Code does not use the tool, and tells its model what standard error said.
    return isToolUse ? 2 : 1;
  }
}

/**
 * Holds the pseudo-terminal of one program until that ends. Everything that it may need is loaded at once: it can live
 * longer than the files of the version that started it.
 */
async function terminal(file: string): Promise<number> {
  const [{ runTerminal, tryTerminal }, { isRavelError }, { terminateSession }, { terminalVariable }, hasOwner] =
    await Promise.all([
      import('../terminals/terminalProgram.ts'),
      import('../base/errors.ts'),
      import('../harness/terminate.ts'),
      import('../model/terminal.ts'),
      loadHasOwner(),
    ]);
  try {
    if (file === '--check') {
      await tryTerminal({ disk, clock, environment });
      return 0;
    }
    return await runTerminal(file, {
      ...{ disk, clock, processes, environment, hasOwner },
      onTerminate: (listener) => void process.on('SIGTERM', listener),
      async endGroup({ pid, terminal: session, leader }) {
        const group = { pid, session, variable: terminalVariable, ...defined({ leader }) };
        await terminateSession({ clock, processes }, group);
      },
    });
  } catch (error) {
    process.stderr.write(`${visible(isRavelError(error) ? error.message : String(error))}\n`);
    return 1;
  }
}

async function loadHasOwner(): Promise<(vault: string) => Promise<boolean>> {
  const [{ readOwnerSocket }, { connect }] = await Promise.all([
    import('../mcp/ownerSocket.ts'),
    import('../server/client.ts'),
  ]);
  return async (vault) => {
    const socketPath = await readOwnerSocket(disk, vault);
    if (socketPath === undefined) return false;
    try {
      (await connect({ socketPath, clock })).close();
      return true;
    } catch {
      // Nothing answers at the socket, or it does not speak our protocol.
      return false;
    }
  };
}

async function scripted(file: string): Promise<number> {
  const { runScripted } = await import('../harness/scriptedProgram.ts');
  const { stdout, stderr } = process;
  const crash = (signal: NodeJS.Signals) => process.kill(process.pid, signal);
  return runScripted(file, { disk, clock, environment, stdout, stderr, crash });
}

async function createPorts({ entryFile, packageRoot }: Installed): Promise<Ports> {
  return {
    environment,
    workingDirectory: process.cwd(),
    temporaryDirectory: tmpdir(),
    packageRoot,
    version: await readVersion(packageRoot),
    nodeVersion: process.versions.node,
    stdin: createInput(),
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    clock,
    disk,
    log,
    core: createCorePort({ environment, log, entryFile, packageRoot }),
    async runEditor(files, editor = namedEditor(environment)) {
      const { runEditor } = await import('../harness/editor.ts');
      return runEditor({ editor, files, workingDirectory: process.cwd(), environment });
    },
    secrets: {
      async list() {
        const { inspectSecrets } = await import('../plans/storedSecrets.ts');
        return inspectSecrets({ disk, clock, environment });
      },
      async where(name) {
        const { inspectSecret } = await import('../plans/keepSecret.ts');
        return inspectSecret({ disk, clock, environment }, name);
      },
      async set(given) {
        const { keepSecret } = await import('../plans/keepSecret.ts');
        return keepSecret({ disk, clock, environment }, given);
      },
      async remove(name) {
        const { removeSecret } = await import('../plans/keepSecret.ts');
        return removeSecret({ disk, clock, environment }, name);
      },
    },
    async sendTestNotification() {
      const [{ loadNotifySettings }, { createDeliver }] = await Promise.all([
        import('../notifications/notifySettings.ts'),
        import('../notifications/deliver.ts'),
      ]);
      const settings = await loadNotifySettings(disk, environment);
      if (settings === undefined) return undefined;
      const text = 'This is how Ravel tells you what needs you.';
      return createDeliver({ clock, environment, settings, withoutSecrets: (one) => one })({
        ...{ key: 'test', kind: 'test', title: 'Ravel', text, command: 'ravel' },
      });
    },
    async runPager(text) {
      const pager = namedPager(environment);
      if (pager === undefined) return false;
      const { runPager } = await import('../harness/pager.ts');
      return runPager({ pager, text, environment });
    },
    onInterrupt(listener) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      const handlers = signals.map((signal) => ({ signal, handle: () => listener(signal) }));
      for (const { signal, handle } of handlers) process.on(signal, handle);
      return toDisposable(() => {
        for (const { signal, handle } of handlers) process.off(signal, handle);
      });
    },
  };
}

function createOutput(stream: WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    get isTty() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

function createInput(): Input {
  return {
    get isTty() {
      return process.stdin.isTTY === true;
    },
    async readAll(bytesMax = Number.POSITIVE_INFINITY) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of process.stdin) {
        chunks.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes > bytesMax) break;
      }
      return Buffer.concat(chunks).toString('utf8');
    },
    async ask(prompt) {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      const ended = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
      try {
        return await Promise.race([terminal.question(prompt), ended]);
      } finally {
        terminal.close();
      }
    },
    async askHidden(prompt) {
      const { readHidden } = await import('./hiddenInput.ts');
      return readHidden(process.stdin, { prompt, write: (text) => process.stderr.write(text) });
    },
  };
}

function writeLog(line: string): void {
  process.stderr.write(`${visibleJson(line)}\n`);
}

/** `process.exit` would cut what a pipe has not taken yet. */
function flushed(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
