import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { createFakePorts, type FakeOptions } from '../cli/fakePorts.ts';
import { openCore } from './openCore.ts';
import { makeWorld, type World } from './world.ts';

const backlog = `# what is to do
tasks:
- id: fix-the-crash
  title: Fix the crash
  category: bug
  status: not_started
  dependencies: []
  description: |
    It crashes on an empty name.
  handoff: |
    Refuse it with a message.
- id: add-a-comma
  title: Add a comma
  category: feature
  status: in_progress
  dependencies: []
  description: |
    After fix-the-crash, since both change one line.
  results: |
    The comma is there.
- id: write-the-manual
  title: Write the manual
  category: docs
  status: blocked
  blocked_reason: nothing is settled
  dependencies:
  - fix-the-crash
  description: ""
received:
- id: 01JD0000000000000000000001
  from: other/project-root
  at: 2026-11-01T00:00:00Z
  reason: somebody asked
  body: |
    Please greet in French.
  state: new
`;

const memory = `entries:
- id: names-are-utf-8
  title: Names are UTF-8
  body: |
    They come as UTF-8.
- id: names-can-be-long
  title: Names can be long
  body: |
    Up to a kilobyte.
`;

const record = (id: string) => `id: ${id}
timestamp: 2026-11-19T10:00:00Z
phase: work
body: |
  ### Session 1 — Say hello

  It says hello.
`;

/** The files of the plan `greeter`, as every command that papers show finds them. */
const planFiles: Readonly<Record<string, string>> = {
  'phase.md': 'work\n',
  'backlog.yaml': backlog,
  'memory.yaml': memory,
  'session-log.yaml': `sessions:\n- ${record('2026-11-19-say-hello').trimEnd().replaceAll('\n', '\n  ')}\n`,
  'latest-session.yaml': record('2026-11-20-say-goodbye'),
  'dream-word-count': '0\n',
};

/** Also a child plan that holds nothing yet, `greeter/project-root/fresh`. */
const freshFiles: Readonly<Record<string, string>> = { 'backlog.yaml': 'tasks: []\n', 'memory.yaml': 'entries: []\n' };

export interface CommandWorld extends World {
  /** Puts the files of both plans back, and takes away what commands left beside them. */
  reset(): Promise<void>;
  /** Runs one command line, from the program's name on, as the real parser and a real core do it. */
  run(words: readonly string[], options?: FakeOptions): Promise<CommandOutcome>;
}

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The project `greeter` with a plan that is not empty; the commands work in the project's folder. */
export async function makeCommandWorld(): Promise<CommandWorld> {
  const world = await makeWorld({ plan: planFiles });
  const core = await openCore(world, { role: 'local' });
  onTestFinished(() => core.stop());
  await core.api.request('create', { plan: `${world.plan}/fresh`, description: 'Greets in new ways' });
  await world.git('add', '-A');
  await world.git('commit', '--quiet', '-m', 'Plan it');
  return {
    ...world,
    async reset() {
      await world.git('clean', '-fdq', 'ravel');
      for (const [file, text] of Object.entries(planFiles)) await world.writePlan(file, text);
      for (const [file, text] of Object.entries(freshFiles)) await world.writePlan(join('fresh', file), text);
    },
    async run(words, options = {}) {
      const door = {
        api: core.api,
        socketPath: core.socketPath,
        sessionSocketPath: core.sessionSocketPath,
        stop: async () => undefined,
      };
      const ports = await createFakePorts({}, { ...options, core: { open: async () => door, ...options.core } });
      const code = await runCommandLine(words.slice(1), { ...ports, workingDirectory: world.project });
      return { code, ...ports.written };
    },
  };
}

/** A file that a command names, in the folder it works in. */
export function placeFile(world: World, name: string, text: string): Promise<void> {
  return writeFile(join(world.project, name), text);
}
