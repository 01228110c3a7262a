import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Ingestion, IngestionCandidate } from '../../src/model/ingestion.ts';
import { declaration } from './expertDeclaration.ts';
import { finishDone, nextEvent, runOptionsOf, type Steps } from './phaseWorld.ts';
import { makeWorld, type World } from './world.ts';

export interface Learned {
  readonly title: string;
  readonly body: string;
  /** Whether analysis found evidence for it; otherwise it is put down as a decision, without a claim. */
  readonly isProven?: boolean;
}

export interface IngestionWorldOptions {
  readonly learned: readonly Learned[];
  /** What the sessions of experts do; of several the first whose `when` stands in the prompt. */
  readonly absorb?: readonly { readonly when?: string; readonly steps: Steps }[];
  /** Declarations of experts by their id; an expert on Rust unless told. */
  readonly experts?: Readonly<Record<string, object>>;
  readonly settings?: string;
  /** Files of the vault, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
}

export const futures: Learned = {
  title: 'Async tests need a Rust runtime of their own',
  body: 'A test that shares the runtime of another one hangs once that one panics; `tokio::test` gives each its own.',
  isProven: true,
};

export const absorbing: Steps = [{ call: 'absorb', with: { reason: 'It holds for every test with a runtime.' } }];
export const rejecting: Steps = [{ call: 'reject', with: { reason: 'It is about tests and not about my subject.' } }];

/** A vault whose plan is about to reflect, and puts into its memory what it learned. */
export async function makeIngestionWorld(options: IngestionWorldOptions): Promise<World> {
  const { learned, absorb = [], experts = { rust: {} }, settings = '', files = {} } = options;
  const world = await makeWorld({
    settings: `[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n${settings}`,
    plan: {
      'phase.md': 'reflect\n',
      'memory.yaml': 'entries: []\n',
      'latest-session.yaml': sessionRecord(learned),
    },
  });
  const reflect: Steps = [...learned.map(addition), finishDone];
  writeFileSync(world.scenario, JSON.stringify({ version: 1, phases: { reflect }, consultations: { absorb } }));
  const declared = Object.entries(experts).map(
    ([id, fields]) =>
      [`experts/${id}.md`, declaration({ tags: [id], 'knowledge-scope': [`languages/${id}`], ...fields }, id)] as const,
  );
  for (const [path, text] of [...declared, ...Object.entries(files)]) {
    mkdirSync(dirname(join(world.vault, path)), { recursive: true });
    writeFileSync(join(world.vault, path), text);
  }
  return world;
}

/** A record of an analysis that found evidence for what is proven. */
function sessionRecord(learned: readonly Learned[], id = '2026-01-02-tests'): string {
  return stringify({
    ...{
      id,
      timestamp: '2026-01-02T03:04:05Z',
      phase: 'work',
      session: '01AAAAAAAAAAAAAAAAAAAAAAAA',
      body: 'Ran them.',
    },
    claims: learned.flatMap(({ title, isProven = false }, at) =>
      isProven ? [{ id: `c${at + 1}`, text: title, evidence: [{ file: 'greeter.mjs' }], verdict: 'evidenced' }] : [],
    ),
  });
}

function addition({ title, body, isProven = false }: Learned, at: number): Steps[number] {
  const why = isProven ? { claims: [`c${at + 1}`] } : { source: 'decision' };
  return { call: 'memory_add', with: { title, body, ...why } };
}

/** The records of what cycles taught, the oldest first. */
export function ingestionsOf({ vault }: World): readonly Ingestion[] {
  const folder = join(vault, 'runtime/ingestion-events');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

export function candidatesOf(world: World): readonly IngestionCandidate[] {
  return ingestionsOf(world).flatMap(({ candidates }) => candidates);
}

/** Runs the reflection, and waits until what it taught is settled or waits for a person. */
export async function reflect(core: Core, world: World) {
  const told = nextEvent(core, 'knowledge.candidate');
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  return told;
}

/** A record as an earlier owner left it, with a candidate that is offered to an expert on Rust. */
export function leaveIngestion(
  world: World,
  changes: Partial<IngestionCandidate>,
  id = '01JD0000000000000000000002' as Ulid,
): Ulid {
  const candidate: IngestionCandidate = {
    ...{ entry: 'e', hash: id, title: futures.title, body: futures.body, claims: ['It holds'], state: 'offered' },
    ...{ folder: 'languages', tags: ['rust'], reasons: [], near: [], positions: [], asked: {} },
    experts: [toQualifiedId('expert:rust')],
    ...changes,
  };
  const record = { id, at: '2026-01-01T00:00:00Z', plan: world.plan, record: 'r', candidates: [candidate] };
  mkdirSync(join(world.vault, 'runtime/ingestion-events'), { recursive: true });
  writeFileSync(join(world.vault, 'runtime/ingestion-events', `${id}.json`), `${JSON.stringify(record)}\n`);
  return id;
}

/** What an owner made of what an earlier one left, which it can have done already. */
export async function endOf(core: Core, events: readonly RavelEvent[]): Promise<RavelEvent> {
  const isTold = (event: RavelEvent) => event.type === 'knowledge.candidate';
  return events.find(isTold) ?? nextEvent(core, 'knowledge.candidate');
}

/** How many sessions of experts were asked about statements. */
export async function absorbSessions(core: Core): Promise<number> {
  const { sessions } = await core.api.request('sessions', {});
  return sessions.filter(({ phase }) => phase === 'absorb').length;
}
