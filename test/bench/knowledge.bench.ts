import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

const folders = 100;
const filesAtOnce = 32;

/** Entries with links to each other; returns their files. */
function writeEntries(layout: VaultLayout, count: number): readonly string[] {
  for (let n = 0; n < folders; n++) mkdirSync(join(layout.knowledge, 'tools', `${n}`), { recursive: true });
  return Array.from({ length: count }, (_, n) => {
    const file = join(layout.knowledge, 'tools', `${n % folders}`, `${n}.md`);
    const link = `[[Entry ${(n + 1) % count}]]`;
    const keys = `title: Entry ${n}\ntags:\n- t${n % 50}\nkind: heuristic\nconfidence: low\nrelated:\n- "${link}"`;
    writeFileSync(file, `---\n${keys}\n---\n\nText of entry ${n}.\n`);
    return file;
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A list of many entries, none of which changed since the last one, beside the bare look at each of their files. */
async function runList(): Promise<BenchRow> {
  const count = sized(100_000, 500);
  const root = await mkdtemp(join(tmpdir(), 'ravel-knowledge-'));
  try {
    const layout = new VaultLayout(root);
    const files = writeEntries(layout, count);
    const clock = { wallMs: () => Number.MAX_SAFE_INTEGER };
    const catalog = new EntryCatalog({ disk: nodeDisk, layout, clock });
    const first = await timed(() => catalog.survey([]));
    const again: number[] = [];
    const looks: number[] = [];
    for (let run = 0; run < 3; run++) {
      again.push(await timed(async () => new EntryIndex((await catalog.survey([])).heads)));
      looks.push(await timed(() => lookAtAll(files)));
    }
    const [value, limit] = [median(again), median(looks)];
    return {
      id: 'knowledge-list',
      value: round(value, 0),
      unit: 'ms',
      goal: 'at most 4 times the bare look at each file',
      ok: value <= 4 * limit,
      limit: round(limit, 0),
      note: `${count} entries of which none changed, with the index of their names; the first time ${round(first, 0)} ms`,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function lookAtAll(files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += filesAtOnce) await nodeDisk.stampEach(files.slice(at, at + filesAtOnce));
}

export const benches: readonly Bench[] = [{ id: 'knowledge-list', run: runList }];
