import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Ulid } from '../../src/model/id.ts';
import { messageBytesMax } from '../../src/model/message.ts';
import { connect } from '../../src/server/client.ts';
import { openCore } from '../support/openCore.ts';
import { decision } from '../support/routingRecords.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A client of the owner, whose answers are lines of at most 8 MiB. */
async function follow({ vault }: World) {
  const client = await connect({ socketPath: join(vault, 'runtime/daemon.sock'), clock: systemClock });
  onTestFinished(() => client.close());
  return client;
}

/** Of all files of the routing history: one that is full gets a number, and a new one begins. */
function historyBytes({ vault }: World): number {
  const newest = join(vault, 'runtime/routing-history.jsonl');
  const earlier = join(vault, 'runtime/routing-history');
  const names = existsSync(earlier) ? readdirSync(earlier) : [];
  return [newest, ...names.map((name) => join(earlier, name))]
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}

test('lists of messages stay small with nine messages near the size limit and two refused as too long', async () => {
  const world = await makeWorld();
  const history = join(world.vault, 'runtime/routing-history.jsonl');
  const long = messageBytesMax - 4096;
  const newUlid = createUlids(systemClock);
  const sent = Array.from({ length: 9 }, () => newUlid() as Ulid);
  const lines = sent.map((id, n) => JSON.stringify(decision(id, { body: `${n}${'y'.repeat(long)}`, to: world.plan })));
  writeFileSync(history, lines.map((line) => `${line}\n`).join(''));
  const size = historyBytes(world);
  await startCore(world);
  const client = await follow(world);

  const refused: Ulid[] = [];
  for (let n = 0; n < 2; n++) {
    const body = `${n}${'x'.repeat(5_000_000)}`;
    const params = { from: world.plan, 'target-plan': `${world.plan}/child`, reason: 'It is theirs', body };
    const { message, outcome } = await client.request('dispatch', params);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'message/tooLong' });
    refused.push(message);
  }
  expect(readFileSync(join(world.planDirectory, 'backlog.yaml')).length).toBeLessThan(20_000);

  // The answer comes once no file of the history is being renamed.
  const { routes } = await client.request('routes', { limit: 500 });
  expect(historyBytes(world) - size).toBeGreaterThan(0);
  expect(historyBytes(world) - size).toBeLessThan(20_000);
  expect(routes.map(({ message }) => message)).toEqual([...sent, ...refused].reverse());
  expect(routes.map(({ excerpt }) => excerpt.slice(0, 2))).toEqual([
    '1x',
    '0x',
    '8y',
    '7y',
    '6y',
    '5y',
    '4y',
    '3y',
    '2y',
    '1y',
    '0y',
  ]);
  expect(JSON.stringify(routes).length).toBeLessThan(50_000);

  const [whole] = (await client.request('routes', { message: sent[0] ?? '' })).routes;
  expect(whole?.body).toHaveLength(long + 1);
  const [kept] = (await client.request('routes', { message: refused[0] ?? '' })).routes;
  expect(kept?.body).toMatch(/^0x{998}… \(5000001 bytes; too long to be sent, and the rest is not kept\)$/);
  expect(JSON.stringify(await client.request('why', { subject: sent[0] ?? '' })).length).toBeLessThan(20_000);
});

test('routing lists 500 of 502 messages on their way by their beginnings, and answer finds the newest', async () => {
  const world = await makeWorld();
  const folder = join(world.vault, 'runtime/routing');
  mkdirSync(folder, { recursive: true });
  const newUlid = createUlids(systemClock);
  const ids = Array.from({ length: 502 }, () => newUlid() as Ulid);
  for (const [n, id] of ids.entries()) {
    // The first few have a megabyte each.
    const body = `Why? ${'z'.repeat(n < 12 ? 1_000_000 : 10)}`;
    const message = {
      id,
      type: 'query',
      from: 'person',
      named: { target: 'auto' },
      reason: '',
      body,
      depth: 0,
      origin: id,
    };
    const found = { facts: [], extractor: 'none', rules: [], candidates: [], consulted: [] };
    const state = { at: '2026-01-02T03:04:05Z', scope: 'vault', turnedAway: [], retargets: 0, suggestions: [] };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ message, ...found, ...state }));
  }
  const { api, stop } = await openCore(world, { role: 'local' });
  onTestFinished(stop);
  const { pending, total } = await api.request('routing', {});
  expect([pending.length, total]).toEqual([500, 502]);
  expect(JSON.stringify(pending).length).toBeLessThan(500_000);
  const newest = ids.at(-1) ?? '';
  const row = { message: newest, type: 'query', from: 'person', state: 'waits for an owner of the vault' };
  expect(await api.request('answer', { query: newest })).toMatchObject({
    pending: { ...row, subject: 'Why? zzzzzzzzzz' },
  });
});
