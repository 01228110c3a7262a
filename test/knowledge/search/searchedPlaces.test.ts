import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { VaultLayout } from '../../../src/vault/layout.ts';
import { makeSearchedVault, searcherOf, write, writePlan } from './searchedVault.ts';

const own = { id: 'own', title: 'Own submarine', body: 'It dives.' };
const outside = { id: 'outside', title: 'Outside submarine', body: 'It dives elsewhere.' };
const plan = toQualifiedId('shop/project-root');

/** A folder beside the vault and its project. */
function outsideOf(layout: VaultLayout): string {
  return join(dirname(layout.root), 'elsewhere');
}

describe('a link that leads out of the vault and its projects is not followed', () => {
  test.each<[what: string, link: (layout: VaultLayout, elsewhere: string) => string]>([
    ['in the place of the notes of the vault', (layout) => layout.knowledge],
    ['in the place of the notes of a project', (layout) => join(layout.project('shop'), 'knowledge')],
    ['in the place of a folder of notes', (layout) => join(layout.knowledge, 'more')],
  ])('%s', async (_what, link) => {
    const layout = await makeSearchedVault([own]);
    const elsewhere = outsideOf(layout);
    write(join(elsewhere, 'note.md'), '# Outside submarine\n\nIt dives elsewhere.\n');
    const path = link(layout, elsewhere);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(elsewhere, path);
    expect(await searcherOf(layout).ids('submarine')).toEqual(['own']);
  });

  test('in the place of a memory, whose file counts as one that cannot be read', async () => {
    const layout = await makeSearchedVault([own]);
    writePlan(layout, 'shop/project-root/other', [outside]);
    const memory = join(layout.plan(toQualifiedId('shop/project-root/other')), 'memory.yaml');
    const elsewhere = join(outsideOf(layout), 'memory.yaml');
    mkdirSync(dirname(elsewhere));
    renameSync(memory, elsewhere);
    symlinkSync(elsewhere, memory);
    const { searcher } = searcherOf(layout);
    expect(await searcher.search({ query: 'submarine', fresh: true })).toMatchObject({
      hits: [{ id: 'own' }],
      partial: 1,
    });
  });

  test('nor is one within the project taken for it', async () => {
    const layout = await makeSearchedVault([own]);
    const folder = layout.plan(plan);
    renameSync(join(folder, 'memory.yaml'), join(folder, 'kept.yaml'));
    symlinkSync('kept.yaml', join(folder, 'memory.yaml'));
    expect(await searcherOf(layout).ids('submarine')).toEqual(['own']);
  });

  test('although a saved index names the file behind it', async () => {
    const layout = await makeSearchedVault([own]);
    write(join(layout.knowledge, 'note.md'), '# Note of a submarine\n\nIt dives.\n');
    const first = searcherOf(layout);
    expect(await first.ids('submarine')).toContain('note.md');
    await first.searcher.stop();
    const elsewhere = outsideOf(layout);
    write(join(elsewhere, 'note.md'), '# Secret submarine\n');
    rmSync(layout.knowledge, { recursive: true });
    symlinkSync(elsewhere, layout.knowledge);
    // The first answer comes from what was saved.
    const { hits } = await searcherOf(layout).searcher.search({ query: 'submarine' });
    expect(hits.map(({ title }) => title)).toEqual(['Own submarine']);
  });

  test('although a saved index names a project that is none', async () => {
    const layout = await makeSearchedVault([own]);
    const first = searcherOf(layout);
    await first.ids('submarine');
    await first.searcher.stop();
    const elsewhere = outsideOf(layout);
    write(join(elsewhere, 'project-root/memory.yaml'), 'entries:\n- {id: own, title: Secret submarine, body: x}\n');
    symlinkSync(elsewhere, layout.project('evil'));
    // Of the same length, so that nothing else of the file moves.
    const saved = readFileSync(layout.searchIndex);
    const forged = Buffer.from(saved.toString('latin1').replaceAll('shop/project-root', 'evil/project-root'), 'latin1');
    const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1');
    const names = forged.toString('latin1').replaceAll(utf16('shop/project-root'), utf16('evil/project-root'));
    const file = Buffer.from(names, 'latin1');
    const header = /^ravel search \d+, [^,]*, /.exec(names)?.[0] ?? '';
    file.fill(' ', 0, 255);
    file.write(`${header}${crc32(file.subarray(256))}`, 'latin1');
    writeFileSync(layout.searchIndex, file);
    const { searcher, problems } = searcherOf(layout);
    expect((await searcher.search({ query: 'submarine' })).hits).toEqual([]);
    expect(problems).toEqual([]);
    expect((await searcher.search({ query: 'submarine', fresh: true })).hits).toMatchObject([
      { title: 'Own submarine' },
    ]);
  });
});

test('what looks like a secret is left out of what is shown, in titles, lines and texts alike', async () => {
  const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
  const layout = await makeSearchedVault([
    { id: 'leak', title: `Submarine ${token}`, body: `The submarine needs ${token} to dive.` },
  ]);
  const { searcher } = searcherOf(layout);
  const answer = await searcher.search({ query: 'submarine dive', fresh: true, withTexts: true });
  expect(answer.hits).toMatchObject([
    { id: 'leak', line: expect.stringMatching(/The submarine needs \[.* left out\]/) },
  ]);
  expect(JSON.stringify(answer)).not.toContain(token);
});

test('with a plan, nothing of any other plan is found, also in typing and among neighbours', async () => {
  const layout = await makeSearchedVault([own]);
  writePlan(layout, 'shop/project-root/other', [outside, { ...outside, id: 'again' }]);
  const { searcher } = searcherOf(layout);
  for (const query of ['submarine', 'subm', 'dives elsewhere', 'outside']) {
    const { hits } = await searcher.search({ query, plan, typing: true, fresh: true, explain: true });
    expect(hits.every((hit) => hit.plan === plan)).toBe(true);
    expect(JSON.stringify(hits)).not.toMatch(/outside|again/);
  }
});

test('of a memory with a damaged entry the others are found, and the answer says that the file is not whole', async () => {
  const layout = await makeSearchedVault([own]);
  const memory = join(layout.plan(plan), 'memory.yaml');
  writeFileSync(memory, `${readFileSync(memory, 'utf8')}- id: broken\n`);
  const { searcher } = searcherOf(layout);
  expect(await searcher.search({ query: 'submarine', fresh: true })).toMatchObject({
    hits: [{ id: 'own' }],
    partial: 1,
  });
});
