import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createAdapters } from '../../src/harness/adapters.ts';
import type { ConsultationRequest, ConsultationTool } from '../../src/harness/consultation.ts';
import { type ConsultationCost, Consultations } from '../../src/harness/consultations.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { listMembers } from '../../src/harness/terminate.ts';
import { failure } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { ownWords } from '../../src/model/promptText.ts';
import { settingsSchema } from '../../src/model/settings.ts';
import { startServer } from '../../src/server/server.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { ports } from '../support/sessions.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const repository = resolve(import.meta.dirname, '../..');
export const nextUlid = createUlids(systemClock);
export const plan = toQualifiedId('Demo/project-root');
export const noSignal = new AbortController().signal;

interface Kept {
  readonly taken: string[];
  readonly tool: ConsultationTool;
}

/** A tool that keeps each answer and ends the session; after `maybe` the session goes on, and `no` is refused. */
export function keeping(): Kept {
  const taken: string[] = [];
  return {
    taken,
    tool: {
      name: 'answer',
      description: 'Answers.',
      args: z.object({ text: z.string().min(1) }),
      async call({ text }) {
        taken.push(String(text));
        if (text === 'no') throw failure('plan/unknown', 'no', 'there is no such plan', { help: 'Try yes.' });
        return { text: `taken: ${text}`, isError: false, ends: text !== 'maybe' };
      },
    },
  };
}

export interface ConsultationWorld {
  readonly root: string;
  readonly project: string;
  readonly consultations: Consultations;
  readonly events: RavelEvent[];
  /** Resolves once a session has sent output. */
  readonly firstOutput: Promise<void>;
  readonly booked: ConsultationCost[];
  /** Sessions with a reservation. */
  readonly reserved: Set<string>;
  directoryOf(session: Ulid): string;
  ask(changes?: Partial<ConsultationRequest>): ConsultationRequest;
  /** A new owner of the same files. */
  next(booked?: ConsultationCost[]): Consultations;
}

/** Real parts except the vault: the scripted program plays `steps` (YAML list items), and `ravel mcp` serves its tools. */
export async function makeConsultationWorld(
  steps: string,
  limits: object = {},
  /** `claude` is played instead of the scripted program; `onEvent` may throw, as what takes events may. */
  { claude, onEvent }: { readonly claude?: string; readonly onEvent?: (event: RavelEvent) => void } = {},
): Promise<ConsultationWorld> {
  const root = await makeTemporaryDirectory();
  const [project, prompts] = [join(root, 'project'), join(root, 'prompts')];
  await Promise.all([mkdir(project), mkdir(prompts)]);
  await writeFile(join(project, 'a.ts'), 'export {};\n');
  await writeFile(join(prompts, 'system.md'), 'Asked: {{PURPOSE}}\n\n{{TOOLS}}\n');
  await writeFile(join(prompts, 'prompt.md'), 'Where does this go?\n\n{{QUESTION}}\n');
  const list = `\n    - steps:\n${steps.replace(/^/gm, '        ')}\n`;
  const purposes = ['route', 'check', 'answer'].map((purpose) => `  ${purpose}:${list}`).join('');
  await writeFile(join(root, 'scenario.yaml'), `version: 1\nmodel: scenario\nconsultations:\n${purposes}`);
  const settings = settingsSchema.parse({
    run: { harness: claude === undefined ? 'scripted' : 'claude-code' },
    limits,
    harnesses: {
      scripted: { scenario: 'scenario.yaml' },
      ...(claude !== undefined && { 'claude-code': { program: claude } }),
    },
  });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: root };
  const entry = { program: process.execPath, args: [join(repository, 'dist/ravel.mjs')] };
  const events: RavelEvent[] = [];
  const output = createDeferred<void>();
  const booked: ConsultationCost[] = [];
  const reserved = new Set<string>();
  const socketPath = join(root, 's');
  const create = (costs: ConsultationCost[]) =>
    new Consultations({
      storedSecrets: () => Promise.resolve(),
      withoutSecrets: (text) => text,
      ...{ ...ports, log: silentLogger, entry, vault: root, promptsDirectory: prompts },
      sessionSocketPath: socketPath,
      host: createSessionHost({ ...ports, environment, settings, log: silentLogger }),
      adapters: createAdapters({ disk: nodeDisk, entry }),
      settingsOf: async () => settings,
      budget: {
        reserve: async (_payer, session) => reserved.add(session) && 1,
        release: (session) => void reserved.delete(session),
        book: async (cost) => void costs.push(cost),
      },
      emit: (event) => {
        events.push(event);
        onEvent?.(event);
        if (event.type === 'session.output') output.resolve();
      },
      closeTranscript: async () => undefined,
      judge: async (_asking, { tool_name: tool }) =>
        tool === 'Read' ? { decision: 'allow' } : { decision: 'deny', reason: `Not ${tool}.` },
      newToken: () => 'token',
      sessionDirectory: (session) => join(root, 'sessions', session),
    });
  let consultations = create(booked);
  const api = createFakeApi({
    session_tools: async ({ session, token }) => consultations.tools(session, token),
    session_call: ({ session, token, call, tool, args }) =>
      consultations.call(session, token, { id: call, tool, args }),
  });
  const server = await startServer({ api, socketPath, disk: nodeDisk, clock: systemClock, log: silentLogger });
  onTestFinished(async () => {
    await consultations.stop();
    await server.stop();
  });
  return {
    ...{ root, project, consultations, events, booked, reserved, firstOutput: output.promise },
    directoryOf: (session) => join(root, 'sessions', session),
    next: (costs = []) => {
      consultations = create(costs);
      return consultations;
    },
    ask: (changes = {}) => ({
      session: nextUlid() as Ulid,
      purpose: 'route',
      actor: plan,
      system: { file: 'system.md', values: {} },
      prompt: { file: 'prompt.md', values: { QUESTION: ownWords('{{MEMORY}} and $& stay as they are') } },
      tools: [keeping().tool],
      timeMs: 30_000,
      ...changes,
    }),
  };
}

/** Plays the steps to their end and checks that no process of the session is left. */
export async function consult(steps: string, changes: Partial<ConsultationRequest> = {}, limits: object = {}) {
  const world = await makeConsultationWorld(steps, limits);
  const { taken, tool } = keeping();
  const request = world.ask({ tools: [tool], ...changes });
  const report = await world.consultations.run(request, noSignal);
  expect(await listMembers(ports, { pid: -1, session: request.session })).toEqual([]);
  expect([world.consultations.has(request.session), [...world.reserved]]).toEqual([false, []]);
  return { ...world, request, report, taken };
}

export const answer = (text: string) => `- call: answer\n  with: { text: ${text} }`;
