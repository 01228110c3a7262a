import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ensureDirectory, exists, writeAtomic } from '../../base/files.ts';
import type { Confinement, Unconfined } from '../../model/confinement.ts';
import type { RunScript } from '../scripts.ts';
import type { ConfinedPlace, Confiner, Refused } from './confinement.ts';
import { type Engine, engineOf, locateProgram } from './engines.ts';
import { gatherLayoutFacts, preCommitCache } from './layoutFacts.ts';
import { networkTickets } from './networkTicket.ts';
import { formatProbes, probeProblem, type Surrounding } from './probes.ts';
import { layOutSandbox, placeProblem, type SandboxLayout, systemMounts, waysOf } from './sandboxLayout.ts';
import { formatShellFile, type ShellFileParts } from './shellFile.ts';
import { findStrayMount } from './strayMount.ts';
import { findSystem } from './systemFolders.ts';

export interface ConfinerPorts {
  readonly disk: Disk;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runScript: RunScript;
  /** Creates a text that cannot be guessed. */
  readonly newSecret: () => string;
  readonly platform?: NodeJS.Platform;
  /** Folders of programs and their configuration that commands read; those of the usual systems if absent. */
  readonly systemFolders?: readonly string[];
}

/** Files of a sandbox in the folder of its session. */
export const confinementFiles = {
  shell: 'shell',
  /** What commands write outside of the project; it goes when the session has ended. */
  temporary: 'temporary',
  empty: 'empty',
  index: 'index',
  shown: 'shown',
  probe: 'probe',
} as const;

/** How long a probe of the sandbox may take, in milliseconds: a machine under load starts programs slowly. */
const probeTimeoutMs = 20_000;

/** Bytes of an index that are read. */
const indexBytesMax = 16 * 1024 * 1024;

type Programs = ShellFileParts['programs'];

/** Builds sandboxes around what sessions run, with the engine of the system. */
export function createConfiner(ports: ConfinerPorts): Confiner {
  const { disk, environment, runScript, platform = process.platform } = ports;
  const engine = engineOf(platform);
  const path = environment['PATH'] ?? '';
  const probeMachine = async (signal = new AbortController().signal): Promise<Confinement> => {
    if (engine === undefined) return noEngine;
    const program = await locateProgram(disk, engine.program, { path, outside: [] });
    if (program === undefined) return engine.missing;
    const mounts = systemMounts(await findSystem(disk, ports.systemFolders));
    const args = [...engine.arguments({ ...emptyLayout, mounts }), '/bin/sh', '-c', ':'];
    const job = { program, args, workingDirectory: '/', timeoutMs: probeTimeoutMs };
    const { exitCode, output } = await runScript(job, signal);
    return exitCode === 0 ? { state: 'confined' } : engine.explain(disk, output);
  };
  return {
    probe: probeMachine,
    async confine(place, signal) {
      if (engine === undefined) return noEngine;
      const layout = await prepareLayout(ports, place);
      if ('reason' in layout) return layout;
      const outside = [place.project, place.vault];
      const program = await locateProgram(disk, engine.program, { path, outside });
      if (program === undefined) return engine.missing;
      const programs = await locatePrograms(disk, { path, outside });
      if ('reason' in programs) return programs;
      const shell = await writeShell(disk, place, { engine, program, programs, layout });
      const problem = await probe(ports, { engine, place, shell, layout }, signal);
      if (problem?.state !== 'notStarted') return problem ?? { state: 'confined', shell };
      const machine = await probeMachine(signal);
      return machine.state === 'confined' ? refused(problem.reason) : machine;
    },
  };
}

/** Enough to see whether the engine starts. */
const emptyLayout: SandboxLayout = {
  ...{ mounts: [], others: [], emptied: [], replaced: [], network: 'closed' },
  ...{ home: '/', temporary: '/', privateHome: '/', variables: [] },
};

const noEngine: Unconfined = { state: 'unconfined', reason: 'Ravel knows no sandbox of this operating system.' };

async function locatePrograms(
  disk: Disk,
  where: { readonly path: string; readonly outside: readonly string[] },
): Promise<Programs | Unconfined> {
  const find = (name: string) => locateProgram(disk, name, where);
  const names = ['bash', 'env', 'cp', 'mv', 'tr', 'git'] as const;
  const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  const missing = found.filter(([, program]) => program === undefined).map(([name]) => name);
  if (missing.length > 0) {
    return { state: 'unconfined', reason: `The sandbox needs ${missing.join(', ')} on PATH.` };
  }
  return Object.fromEntries(found) as Programs;
}

function refused(reason: string): Refused {
  const fix = 'look at what the last session left in the project, and remove what is not yours';
  return { state: 'refused', reason, fix };
}

async function prepareLayout(
  { disk, environment, systemFolders }: ConfinerPorts,
  place: ConfinedPlace,
): Promise<SandboxLayout | Unconfined | Refused> {
  const temporary = join(place.sessionDirectory, confinementFiles.temporary);
  const own = { temporary: join(temporary, 'tmp'), privateHome: join(temporary, 'home') };
  const facts = await gatherLayoutFacts({ disk, environment, systemFolders }, place, own);
  const link = await linkProblem(disk, place);
  if (link !== undefined) return refused(link);
  const reason = placeProblem(facts);
  if (reason !== undefined) return { state: 'unconfined', reason };
  const layout = layOutSandbox(facts);
  const stray = await findStrayMount(disk, layout.mounts, facts.writable);
  if (stray !== undefined) return refused(stray);
  for (const folder of [own.temporary, own.privateHome]) await ensureDirectory(disk, folder, 0o700);
  for (const home of facts.homes) await copyIndex(disk, home, own.privateHome);
  return layout;
}

/** One that cannot be read is none: then pre-commit begins a new one. */
async function copyIndex(disk: Disk, home: string, privateHome: string): Promise<void> {
  const { folder, index } = preCommitCache;
  const [content] = await disk.readEach([join(home, folder, index)], indexBytesMax);
  if (content === undefined) return;
  await ensureDirectory(disk, join(privateHome, folder), 0o700);
  await writeAtomic(disk, join(privateHome, folder, index), content, { permissions: 0o600 });
}

/** Any process that can write to the folder of a link can replace the link, whatever it leads to. */
async function linkProblem(disk: Disk, { project }: ConfinedPlace): Promise<string | undefined> {
  for (const name of ['.git', 'ravel']) {
    const kind = await disk.lstat(join(project, name)).then(
      (stat) => stat.kind,
      () => undefined,
    );
    if (kind === 'symlink') return `${name} of the project is a symbolic link.`;
  }
  return undefined;
}

async function writeShell(
  disk: Disk,
  { sessionDirectory }: ConfinedPlace,
  parts: {
    readonly engine: Engine;
    readonly program: string;
    readonly programs: Programs;
    readonly layout: SandboxLayout;
  },
): Promise<string> {
  const { engine, program, programs, layout } = parts;
  const emptyFile = join(sessionDirectory, confinementFiles.empty);
  const shell = join(sessionDirectory, confinementFiles.shell);
  const shown = layout.replaced.map((file, at) => ({
    ...file,
    copy: join(sessionDirectory, `${confinementFiles.shown}-${at}`),
  }));
  for (const { copy, text } of shown) await writeAtomic(disk, copy, text, { permissions: 0o600 });
  const text = formatShellFile({
    engine: (network) => [program, ...engine.arguments({ ...layout, network })],
    ...{ layout, programs, emptyFile, cover: engine.cover, ...engine.folders(layout) },
    shown,
    indexFile: join(sessionDirectory, confinementFiles.index),
    ticketFolder: join(sessionDirectory, networkTickets),
  });
  await writeAtomic(disk, emptyFile, '', { permissions: 0o644 });
  await writeAtomic(disk, shell, text, { permissions: 0o700 });
  return shell;
}

/** Tries the sandbox through the very program that commands go through; why it does not hold, if it does not. */
async function probe(
  { disk, runScript, newSecret }: ConfinerPorts,
  tried: {
    readonly engine: Engine;
    readonly place: ConfinedPlace;
    readonly shell: string;
    readonly layout: SandboxLayout;
  },
  signal: AbortSignal,
): Promise<Unconfined | Refused | { readonly state: 'notStarted'; readonly reason: string } | undefined> {
  const { engine, place, shell, layout } = tried;
  const { project, repository, ravelDirectory, sessionDirectory, vault, socketPath } = place;
  const secret = newSecret();
  const forbiddenFile = join(sessionDirectory, confinementFiles.probe);
  await writeAtomic(disk, forbiddenFile, `${secret}\n`, { permissions: 0o600 });
  const name = `.ravel-probe-${secret.slice(0, 12)}`;
  const { commonDirectory, gitDirectory } = repository;
  const sealed = place.writesGit === true ? [join(commonDirectory, 'hooks')] : [ravelDirectory, gitDirectory];
  const forbiddenTargets = [...sealed, layout.home, sessionDirectory].map((folder) => join(folder, name));
  const command = formatProbes({
    ...{ project, forbiddenFile, secret, forbiddenTargets, socketPath },
    surroundings: await surroundingsOf(disk, layout, project),
    forbiddenFolders: [vault, join(layout.home, '.ssh')],
    allowedTarget: join(project, name),
    ...(await namespacesOf(disk)),
    network: layout.network,
  });
  const environment = { ANTHROPIC_API_KEY: secret, RAVEL_TOKEN: secret };
  const job = { program: shell, args: [command], workingDirectory: project, timeoutMs: probeTimeoutMs, environment };
  const { output } = await runScript(job, signal);
  signal.throwIfAborted();
  const written = await removeWritten(disk, forbiddenTargets);
  // In its own home it may write.
  await removeWritten(disk, [join(sessionDirectory, confinementFiles.temporary, 'home', name)]);
  await disk.unlink(forbiddenFile);
  if (!output.includes('write\n')) return { ...(await engine.explain(disk, output)), state: 'notStarted' };
  const reason = probeProblem(output, written);
  if (reason === undefined) return undefined;
  // A session can take from its project the right to write there.
  return output.includes('allowed-write\n') ? { state: 'unconfined', reason } : refused(reason);
}

/** With what earlier commands of the session left in its own folders. */
async function surroundingsOf(disk: Disk, layout: SandboxLayout, project: string): Promise<Surrounding[]> {
  const ways = waysOf(layout, project).map(async ({ folder, shown, from }) => {
    const left = from === undefined ? [] : await disk.readDirectory(from).catch(() => []);
    return { folder, shown: [...shown, ...left.map(({ name }) => join(folder, name))] };
  });
  return Promise.all(ways);
}

async function removeWritten(disk: Disk, paths: readonly string[]): Promise<string[]> {
  const written: string[] = [];
  for (const path of paths) {
    if (!(await exists(disk, path))) continue;
    await disk.unlink(path);
    written.push(path);
  }
  return written;
}

/** The namespaces of this process, if the system has any. */
async function namespacesOf(disk: Disk): Promise<{ readonly namespaces?: { net: string; pid: string } }> {
  const link = (kind: string) => disk.readLink(`/proc/self/ns/${kind}`).catch(() => undefined);
  const [net, pid] = await Promise.all([link('net'), link('pid')]);
  return net === undefined || pid === undefined ? {} : { namespaces: { net, pid } };
}
