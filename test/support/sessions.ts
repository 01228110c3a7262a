import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { HarnessAdapter, HarnessSession, SessionHost, SessionSpec } from '../../src/harness/adapter.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { createScriptedAdapter } from '../../src/harness/scripted.ts';
import { listMembers, terminateSession } from '../../src/harness/terminate.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

export const processes = createProcesses(nodeDisk);
const nextUlid = createUlids(systemClock);
export const ports = { disk: nodeDisk, clock: systemClock, processes };

/** A folder for one session and one project, and a host that runs sessions there. */
export interface SessionWorld {
  readonly root: string;
  readonly project: string;
  readonly directory: string;
  readonly host: SessionHost;
  readonly spec: SessionSpec;
  start(adapter: HarnessAdapter, changes?: Partial<SessionSpec>): Promise<HarnessSession>;
}

export interface WorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly settings?: Settings;
  readonly mcpServer?: string;
}

/** Call it inside a test: what a session leaves behind is ended with the test. */
export async function createSessionWorld(options: WorldOptions = {}): Promise<SessionWorld> {
  const root = await makeTemporaryDirectory();
  const [project, directory] = [join(root, 'project'), join(root, 'session')];
  await mkdir(project);
  await mkdir(directory);
  await writeFile(join(directory, 'prompt.md'), 'Do the task.\n');
  await writeFile(join(directory, 'system.md'), 'You are at work in a test. phase: work\n');
  const host = createSessionHost({
    ...ports,
    environment: options.environment ?? { PATH: process.env['PATH'] },
    settings: options.settings ?? defaultSettings,
    log: silentLogger,
  });
  const spec = specOf(root, options.mcpServer ?? '/nowhere/mcp.mjs');
  onTestFinished(async () => {
    const leader = await leaderPid(directory);
    await terminateSession(ports, { pid: leader, session: spec.session });
  });
  return {
    ...{ root, project, directory, host, spec },
    start: (adapter, changes = {}) => host.start(adapter, { ...spec, ...changes }, new AbortController().signal),
  };
}

export function specOf(root: string, mcpServer: string): SessionSpec {
  return {
    // Its own for each session: ending one ends whatever carries its id, in other test files too.
    session: nextUlid() as Ulid,
    actor: toQualifiedId('Demo/project-root'),
    purpose: 'work',
    sessionDirectory: join(root, 'session'),
    cwd: join(root, 'project'),
    projectDirectory: join(root, 'project'),
    systemPrompt: 'You are at work in a test. phase: work\n',
    mcpCommand: { program: process.execPath, args: [mcpServer] },
    token: 'token-of-the-test',
    socketPath: join(root, 'socket'),
    vault: join(root, 'vault'),
    limits: {
      timeMs: 60_000,
      outputBytes: 64 * 1024 * 1024,
      costUsd: 10,
      orphanMs: 60_000,
      orphanAfterStopMs: 60_000,
    },
  };
}

/** An agent program that is a shell script; it speaks the scripted harness's output format. */
export function shellAdapter(script: string): HarnessAdapter {
  const scripted = createScriptedAdapter({ program: process.execPath, args: [] });
  return {
    ...scripted,
    locate: () => Promise.resolve('/bin/sh'),
    command: (spec, program) => ({
      program,
      args: ['-c', script],
      environment: { NODE: process.execPath },
      stdin: join(spec.sessionDirectory, 'prompt.md'),
      files: {},
    }),
  };
}

/** A line that a shell script can print as an output. */
export function say(text: string): string {
  return `echo '${JSON.stringify({ kind: 'text', text })}'`;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Resolves with the first output that fits. */
export async function waitFor(
  outputs: AsyncIterable<HarnessOutput>,
  fits: (output: HarnessOutput) => boolean,
): Promise<HarnessOutput> {
  for await (const output of outputs) if (fits(output)) return output;
  throw new Error('the session ended without the output that was waited for');
}

/** Pids of the session that are alive. */
export async function membersOf(world: Pick<SessionWorld, 'directory' | 'spec'>): Promise<number[]> {
  return listMembers(ports, { pid: await leaderPid(world.directory), session: world.spec.session });
}

/** 0, which is nobody's, when no session was started. */
async function leaderPid(directory: string): Promise<number> {
  const text = await readFile(join(directory, 'pid'), 'utf8').catch(() => '0');
  return Number(text.split('\n')[0]);
}
