import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededRandom } from '../../support/seededRandom.ts';
import { makeSearchedVault, type SomeEntry, searcherOf, writePlan } from './searchedVault.ts';

const words = ['refund', 'queue', 'drain', 'lock', 'order', 'stock', 'price', 'cart', 'till', 'door'];
const entriesOf = (from: number): SomeEntry[] =>
  Array.from({ length: 12 }, (_, n) => ({
    ...{ id: `e${from + n}`, title: `About ${words[n % words.length]} ${from + n}` },
    body: words.filter((__, at) => (from + n + at) % 3 !== 0).join(' '),
  }));

async function savedVault() {
  const layout = await makeSearchedVault(entriesOf(0));
  for (let n = 1; n < 4; n += 1) writePlan(layout, `shop/project-root/p${n}`, entriesOf(100 * n));
  const { searcher } = searcherOf(layout);
  await searcher.search({ query: 'refund', fresh: true });
  await searcher.stop();
  return { layout, saved: await readFile(layout.searchIndex) };
}

const headerBytes = 256;
const queries = ['refund queue', 'about door 103', 'lock order stock price', 'e7'];

/** With the checksum that a body has, as an attacker would write it. */
function withChecksum(file: Buffer): Buffer {
  const own = /^ravel search \d+, [^,]*, /.exec(file.toString('latin1', 0, headerBytes))?.[0] ?? '';
  file.fill(' ', 0, headerBytes - 1);
  file.write(`${own}${crc32(file.subarray(headerBytes))}`, 'latin1');
  return file;
}

/** A bit, a number that is far too large or one off, a number that another place has, or a part that is cut out. */
function damage(saved: Buffer, random: () => number): Buffer {
  const file = Buffer.from(saved);
  const place = (): number => headerBytes + 4 * Math.floor((random() * (file.length - headerBytes)) / 4);
  const at = place();
  const kind = Math.floor(random() * 6);
  if (kind === 0) file[at] = (file[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  else if (kind === 1) file.writeUInt32LE(0xffffffff >>> Math.floor(random() * 24), at);
  else if (kind === 2) file.writeUInt32LE((file.readUInt32LE(at) + 1) >>> 0, at);
  else if (kind === 3) file.writeUInt32LE(Math.max(0, file.readUInt32LE(at) - 1), at);
  else if (kind === 4) file.writeUInt32LE(file.readUInt32LE(place()), at);
  else
    return Buffer.concat([
      file.subarray(0, at),
      file.subarray(Math.min(file.length, at + 4 * Math.ceil(random() * 8))),
    ]);
  return file;
}

test('a saved index that someone made harms no search, and what it held is found again', {
  timeout: 120_000,
}, async () => {
  const { layout, saved } = await savedVault();
  // RAVEL_FUZZ_SEED tries another; each failure prints it.
  const seed = Number(process.env['RAVEL_FUZZ_SEED'] ?? 7);
  const random = seededRandom(seed);
  const idsOf = async (searcher: ReturnType<typeof searcherOf>['searcher'], fresh: boolean) => {
    const answers = [];
    for (const query of queries) answers.push((await searcher.search({ query, fresh })).hits.map(({ id }) => id));
    return answers;
  };
  const sound = await idsOf(searcherOf(layout, { rebuilds: true }).searcher, true);
  let rebuilt = 0;
  // RAVEL_FUZZ_CASES tries more of them.
  const cases = Number(process.env['RAVEL_FUZZ_CASES'] ?? 60);
  for (let n = 0; n < cases; n += 1) {
    let file = damage(saved, random);
    for (let more = Math.floor(random() * 3); more > 0; more -= 1) file = damage(file, random);
    await writeFile(layout.searchIndex, withChecksum(file));
    // Files change, so that lists of the index are written as well.
    const changed = 1 + (n % 3);
    writePlan(layout, `shop/project-root/p${changed}`, entriesOf(100 * changed + 1));
    const { searcher, problems } = searcherOf(layout);
    const where = `seed ${seed}, case ${n}`;
    for (const [at, query] of queries.entries()) {
      const { hits } = await searcher.search({ query, fresh: at > 0 && at === n % 4 });
      for (const { id, score } of hits) expect([typeof id, Number.isFinite(score)], where).toEqual(['string', true]);
    }
    writePlan(layout, `shop/project-root/p${changed}`, entriesOf(100 * changed));
    await searcher.search({ query: 'refund', fresh: true });
    // No search is kept from the files by what was saved.
    expect(
      problems.filter(({ about }) => about === 'update'),
      where,
    ).toEqual([]);
    if (problems.some(({ about }) => about === 'load')) {
      expect(await idsOf(searcher, false), where).toEqual(sound);
      rebuilt += 1;
    }
    await searcher.stop();
  }
  expect(rebuilt).toBeGreaterThan(cases / 4);
});
