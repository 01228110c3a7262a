import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import type { Api } from '../../src/model/protocol.ts';
import type { SuggestionRow } from '../../src/model/requests/routing.ts';
import type { RoutingDecision, Suggestion } from '../../src/model/routing.ts';
import { contentHashOf } from '../../src/plans/approvals/approvals.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { openCore } from './openCore.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

export const payments = 'greeter/project-root/payments' as QualifiedId;
export const search = 'greeter/project-root/search' as QualifiedId;

/** A `routing.yaml` with a remark above each of its rules. */
export const commented = `# Who gets what
rules:
  # Money first
  - id: invoices
    any: [invoice]
    target: ${payments}
  # Things are found
  - id: find
    any: [index]
    target: ${search}
`;

const nextUlid = createUlids(systemClock, randomBytes);

function newUlid(): Ulid {
  return nextUlid() as Ulid;
}

/** A world with two plans that messages can go to, what `routing.yaml` says, and what was routed before. */
export async function makeSuggestionWorld(
  given: WorldOptions & { readonly rules?: string; readonly history?: readonly RoutingDecision[] } = {},
): Promise<World> {
  const { rules, history, ...options } = given;
  const world = await makeWorld(options);
  await fillSuggestionWorld(world, { rules, history });
  return world;
}

/** Makes of a world that is there already the same. */
export async function fillSuggestionWorld(
  world: World,
  {
    rules,
    history = [],
  }: { readonly rules?: string | undefined; readonly history?: readonly RoutingDecision[] | undefined },
): Promise<void> {
  const core = await openCore(world);
  await core.api.request('create', { plan: payments, description: 'Takes money in and gives it back' });
  await core.api.request('create', { plan: search, description: 'Finds things by words' });
  await core.stop();
  if (rules !== undefined) await writeFile(join(world.vault, 'routing.yaml'), rules);
  await remember(world, history);
}

/** Adds what was routed, as the owner of the vault writes it. */
export async function remember(world: World, history: readonly RoutingDecision[]): Promise<void> {
  const lines = history.map((decision) => `${JSON.stringify(decision)}\n`).join('');
  await appendFile(join(world.vault, 'runtime/routing-history.jsonl'), lines);
}

/** One message that a model sent to `to`. */
export function decided(body: string, to: QualifiedId, more: Partial<RoutingDecision> = {}): RoutingDecision {
  const message = newUlid();
  return {
    ...{
      type: 'decision',
      message,
      at: '2026-11-20T10:00:00Z',
      on: 'dispatch',
      from: 'greeter/project-root' as QualifiedId,
    },
    ...{ named: { target: 'auto' }, reason: 'It is needed', body, depth: 1, origin: message },
    ...{ facts: [], extractor: 'vocabulary', rules: [], candidates: [], consulted: [], step: 'level-2' },
    ...{ outcome: { kind: 'routed', to }, reasoning: 'It fits', durationMs: 5 },
    ...more,
  };
}

export const refunds: Suggestion = {
  rule: { id: 'refunds', any: ['refund'], target: payments },
  by: 'level-2',
  reason: 'Refunds are money that is given back',
  messages: [],
};

/** Lets a suggestion wait, as a router makes one. */
export async function letWait(
  world: World,
  suggestion: Suggestion = refunds,
): Promise<{ approval: Ulid; contentHash: string }> {
  const id = newUlid();
  const request = { kind: 'rule-suggestion', subject: 'Route it', options: [], details: suggestion } as const;
  const contentHash = contentHashOf(request);
  const folder = join(world.vault, 'runtime/approvals');
  await mkdir(folder, { recursive: true });
  const file = { id, createdAt: '2026-11-20T10:00:00Z', contentHash, ...request };
  await writeFile(join(folder, `${id}.yaml`), formatYaml(file));
  return { approval: id, contentHash };
}

export function readRules(world: Pick<World, 'vault'>): Promise<string> {
  return readFile(join(world.vault, 'routing.yaml'), 'utf8');
}

/** Two decisions that the suggestion `refunds` agrees with, and one that contradicts it. */
export const agreeing = [
  decided('Please refund the order of Ada', payments),
  decided('Two refunds are missing', payments),
];
export const against = decided('Find the refund page', search);

export async function suggestions(api: Api): Promise<readonly SuggestionRow[]> {
  return (await api.request('suggestions', {})).suggestions;
}

/** The newest commits of the vault, with their messages and files. */
export function lastCommits(world: World, count: number): Promise<string> {
  return world.git('-C', world.vault, 'log', `-${count}`, '--format=%s%n%b', '--stat');
}
