import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/model/protocol.ts';
import { startFakeEmbeddings } from '../knowledge/meaning/embeddingFake.ts';
import { runHere } from '../support/commandHere.ts';
import { openCore } from '../support/openCore.ts';
import { addThreeProjects, cards } from '../support/threeProjects.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const memory = `entries:
  - id: slots
    title: Refunds are paid from the slots of the \`RefundQueue\`
    body: |
      A refund waits until a slot is free.

      The queue is drained by \`drainRefunds\` in src/refunds/drain.ts.
  - id: clocks
    title: Clocks of tills are set each night
    body: A till asks the server for the time.
`;

/** A world in which one plan has learned something. */
async function makeThreeProjects(): Promise<World & { readonly cardsFolder: string }> {
  const world = await makeWorld();
  const folders = await addThreeProjects(world, { cards: 'Issues cards, and pays refunds to them' });
  const cardsFolder = folders[cards] ?? '';
  await writeFile(join(cardsFolder, 'memory.yaml'), memory);
  return { ...world, cardsFolder };
}

async function found(api: Api, query: string, more: object = {}) {
  const { hits } = await api.request('search', { query, fresh: true, ...more });
  return hits.map(({ in: place, plan, id }) => [place, plan, id].join(' '));
}

describe('a person searches a vault', () => {
  test('and finds what a plan learned, with the line that fits', async () => {
    const { core } = await startCore(await makeThreeProjects());
    const { hits, entries } = await core.api.request('search', { query: 'drainRefunds', fresh: true });
    expect(hits[0]).toMatchObject({
      ...{ in: 'memory', plan: cards, id: 'slots', kind: 'observation' },
      line: 'The queue is drained by `drainRefunds` in src/refunds/drain.ts.',
    });
    expect(entries).toBeGreaterThan(4);
  });

  test('in tasks, plans, sessions, decisions and notes, and in one of these alone', async () => {
    const world = await makeThreeProjects();
    await mkdir(join(world.vault, 'knowledge/payments'), { recursive: true });
    await writeFile(
      join(world.vault, 'knowledge/payments/refunds.md'),
      '---\ntitle: How banks refund\ntags: [payments]\n---\n\nA refund takes three days.\n\n## Superseded\n\nIt took a week.\n',
    );
    const { core } = await startCore(world);
    const add = { title: 'Refund twice only after a check', category: 'bug', description: 'See `RefundQueue`.' };
    await core.api.request('state', { plan: cards, verb: 'backlog/add', args: add });
    expect((await found(core.api, 'refund')).sort()).toEqual([
      'backlog bank/project-root/cards refund-twice-only-after-a-check',
      'knowledge  payments/refunds.md',
      'memory bank/project-root/cards slots',
      'plans bank/project-root/cards bank/project-root/cards',
    ]);
    expect(await found(core.api, 'refund', { in: ['backlog', 'plans'], kinds: ['bug'] })).toEqual([
      'backlog bank/project-root/cards refund-twice-only-after-a-check',
    ]);
    expect(await found(core.api, 'refund', { tags: ['payments'] })).toEqual(['knowledge  payments/refunds.md']);
    expect(await found(core.api, 'refund', { plan: 'mail' })).toEqual([]);
    expect(await found(core.api, 'refund', { limit: 1 })).toHaveLength(1);
  });

  test('and finds what changed, and nothing of what is gone', async () => {
    const world = await makeThreeProjects();
    const { core } = await startCore(world);
    expect(await found(core.api, 'ledger')).toEqual([]);
    await appendFile(
      join(world.cardsFolder, 'memory.yaml'),
      '  - id: books\n    title: The ledger is closed on Sundays\n    body: ""\n',
    );
    expect(await found(core.api, 'ledger')).toEqual([`memory ${cards} books`]);
    await core.api.request('rename', { plan: cards, to: 'bank/project-root/plastic' });
    expect(await found(core.api, 'ledger')).toEqual(['memory bank/project-root/plastic books']);
    await core.api.request('remove', { plan: 'bank/project-root/plastic' });
    expect(await found(core.api, 'ledger')).toEqual([]);
  });

  test('and the next owner answers from the index that the last one left', async () => {
    const world = await makeThreeProjects();
    const first = await startCore(world);
    const before = await first.core.api.request('search', { query: 'refund queue', fresh: true, explain: true });
    await first.core.stop();
    const second = await openCore(world);
    const after = await second.api.request('search', { query: 'refund queue', explain: true });
    expect(after.hits).toEqual(before.hits);
    await second.stop();
  });

  test('and a broken index is built again, without an error', async () => {
    const world = await makeThreeProjects();
    const file = join(world.vault, 'runtime/cache/search');
    const first = await startCore(world);
    const before = await found(first.core.api, 'refund queue');
    await first.core.stop();
    const whole = await readFile(file);
    for (const damaged of [whole.subarray(0, 1000), Buffer.from('nonsense'), Buffer.concat([whole, whole])]) {
      await writeFile(file, damaged);
      const core = await openCore(world, { role: 'local' });
      expect(await found(core.api, 'refund queue')).toEqual(before);
      await core.stop();
      expect((await readFile(file)).equals(damaged)).toBe(false);
    }
    await rm(file);
    await mkdir(file);
    const core = await openCore(world, { role: 'local' });
    expect(await found(core.api, 'refund queue')).toEqual(before);
    await core.stop();
  });
});

test('an owner whose settings name a server ranks by meaning as well, and by words if it is gone', async () => {
  const world = await makeThreeProjects();
  const { url, asked } = await startFakeEmbeddings();
  const file = join(world.vault, 'daemon.toml');
  const settings = await readFile(file, 'utf8');
  const withServer = (address: string) =>
    settings.replace(/(\[search\.embeddings\]\n)/, `$1url = "${address}"\nmodel = "small"\n`);
  await writeFile(file, withServer(url));
  const { core } = await startCore(world);
  const search = () => core.api.request('search', { query: 'tills refund', fresh: true, explain: true });
  const { hits, diagnostics } = await search();
  expect(hits.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'meaning'))[0]?.name).toBe('small');
  expect(diagnostics).toEqual([]);
  const sent = asked.length;
  // Who only looks at the vault sends nothing away.
  const looking = await openCore(world, { role: 'local' });
  expect((await looking.api.request('search', { query: 'cards', fresh: true })).hits.length).toBeGreaterThan(0);
  await looking.stop();
  expect(asked).toHaveLength(sent);
  await core.stop();
  await writeFile(file, withServer(url.replace(/:\d+/, ':1')));
  const next = await openCore(world);
  const plain = await next.api.request('search', { query: 'tills refund', fresh: true });
  expect(plain.diagnostics).toMatchObject([{ code: 'search/embeddings', severity: 'warning' }]);
  expect(plain.hits.map(({ id }) => id).sort()).toEqual(hits.map(({ id }) => id).sort());
  await next.stop();
});

test('ravel search prints titles, places and lines, explains scores, and gives objects to scripts', async () => {
  const world = await makeThreeProjects();
  const run = (...args: string[]) => runHere(['--vault', world.vault, ...args], { environment: world.environment });
  const shown = await run('search', 'where', 'are', 'refunds', 'drained');
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain('Refunds are paid from the slots of the `RefundQueue`');
  expect(shown.stdout).toContain(`memory ${cards} slots (observation)`);
  expect((await run('search', 'refunds', '--explain')).stdout).toMatch(/\+\d+\.\d\d word refund/);
  const [line = ''] = (await run('--json', 'search', 'refunds', '--in', 'memory')).stdout.trim().split('\n').slice(-1);
  expect(JSON.parse(line)).toMatchObject({ result: { hits: [{ in: 'memory', id: 'slots' }] } });
  expect(await run('search', '', '--plan', 'bank')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No match among'),
  });
  expect(await run('search', 'x', '--in', 'attic')).toMatchObject({ code: 2 });
  expect(await run('search', 'x', '--limit', 'few')).toMatchObject({ code: 2 });
  expect(await run('search', 'x', '--plan', 'nowhere')).toMatchObject({ code: 3 });
});
