import { join, relative, sep } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { readText, sha256 } from '../base/files.ts';
import { isRecord } from '../base/json.ts';
import { takeFitting } from '../knowledge/retrieval/budget.ts';
import { entriesOf } from '../knowledge/search/entries.ts';
import type { VaultSearch } from '../knowledge/search/vaultSearch.ts';
import type { Expert } from '../model/expert.ts';
import type { SearchHit } from '../model/requests/search.ts';
import { parseFrontmatter } from '../vault/frontmatter.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { scopesOf } from './expertScope.ts';

/** An entry as a session is given it. */
export interface RetrievedEntry {
  /** That of its frontmatter; without one its path. */
  readonly id: string;
  readonly title: string;
  /** From the vault on, with `/`. */
  readonly path: string;
  /** SHA-256 of its whole file. */
  readonly hash: string;
  /** All that it says below its frontmatter. */
  readonly text: string;
  readonly bytes: number;
}

export interface Retrieved {
  /** The best first. */
  readonly entries: readonly RetrievedEntry[];
  /** Entries that fit the question and not the budget. */
  readonly skipped: number;
}

export interface RetrievalPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly search: Pick<VaultSearch, 'search'>;
}

/** A larger file is not given to a session. */
const entryBytesMax = 1024 * 1024;
/** How many are looked at for each that is given: one that is too large makes room for those behind it. */
const candidatesPerEntry = 3;

/**
 * The entries of an expert's scope that fit a question best, within the budget of its declaration. The same files and
 * the same question give the same entries in the same order.
 */
export async function retrieveEntries(
  { disk, layout, search }: RetrievalPorts,
  expert: Expert,
  question: string,
  signal: AbortSignal,
): Promise<Retrieved> {
  const { 'max-entries': limit, 'max-bytes': bytesMax } = expert.retrieval;
  const order = { query: question, within: scopesOf(expert), limit: limit * candidatesPerEntry, fresh: true };
  const { hits } = await search.search(order, signal);
  const read: RetrievedEntry[] = [];
  for (const hit of hits) {
    const entry = await readEntry(disk, layout, hit);
    if (entry !== undefined) read.push(entry);
  }
  const { taken, skipped } = takeFitting(withDistinctIds(read), limit, { bytesMax });
  return { entries: taken, skipped };
}

/** Of two with one id the second is named by its path: what a session names must lead to one. */
export function withDistinctIds(entries: readonly RetrievedEntry[]): RetrievedEntry[] {
  const ids = new Set<string>();
  return entries.map((entry) => {
    const isTaken = ids.has(entry.id);
    ids.add(entry.id);
    return isTaken ? { ...entry, id: entry.path } : entry;
  });
}

/** Undefined for one that was archived, is gone meanwhile, or cannot be read as text. */
async function readEntry(
  disk: ReadingDisk,
  layout: VaultLayout,
  { file, id: name }: Pick<SearchHit, 'file' | 'id'>,
): Promise<RetrievedEntry | undefined> {
  try {
    const whole = await readText(disk, file, { bytesMax: entryBytesMax });
    const [note] = entriesOf({ in: 'knowledge', key: '', root: layout.root, file, name }, whole) ?? [];
    if (note === undefined || note.status === 'archived') return undefined;
    const path = relative(layout.root, file).split(sep).join('/');
    const text = note.text.trim();
    const bytes = Buffer.byteLength(text);
    return { id: ownId(whole, file) ?? path, title: note.title, path, hash: sha256(whole), text, bytes };
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return undefined;
  }
}

/** As a session is given it, by its path from the vault on; undefined as for `readEntry`. */
export function readEntryAt(disk: ReadingDisk, layout: VaultLayout, path: string): Promise<RetrievedEntry | undefined> {
  return readEntry(disk, layout, { file: join(layout.root, path), id: path });
}

function ownId(whole: string, file: string): string | undefined {
  const { data } = parseFrontmatter(whole, { file, subject: file });
  const id = isRecord(data) ? data['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
