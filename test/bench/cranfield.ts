import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyDocument, type IndexedDocument } from '../../src/knowledge/retrieval/document.ts';

/** Queries with the ids of the documents that answer them. */
export interface LabelledQuery {
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

export interface Collection {
  readonly documents: readonly IndexedDocument[];
  readonly queries: readonly LabelledQuery[];
}

/** The Cranfield 1400 collection in its classic format: abstracts about aerodynamics, and questions about them. */
export async function readCranfield(folder: string): Promise<Collection> {
  const read = (name: string) => readFile(join(folder, 'cranfield', name), 'utf8');
  const [all, asked, judged] = await Promise.all([read('cran.all'), read('cran.qry'), read('cran.rel')]);
  const documents = recordsOf(all).map(({ id, T = '', W = '' }) => ({
    ...{ ...emptyDocument, id: id ?? '', title: T },
    // The text begins with the title again.
    body: W.startsWith(T) ? W.slice(T.length) : W,
  }));
  const queries = recordsOf(asked).map(({ W = '' }) => ({ query: W, relevant: new Set<string>() }));
  for (const line of judged.split('\n')) {
    const [query = 0, document = 0, grade = 0] = line.trim().split(/\s+/).map(Number);
    // From a complete answer to one of little interest; others are none.
    if (grade >= 1 && grade <= 4) queries[query - 1]?.relevant.add(String(document));
  }
  return { documents, queries };
}

function recordsOf(text: string): Readonly<Record<string, string>>[] {
  return text
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const [number = '', ...fields] = record.split(/^\.([A-Z])\s*$/m);
      const texts: Record<string, string> = { id: String(Number(number)) };
      for (let n = 0; n < fields.length; n += 2) texts[fields[n] ?? ''] = (fields[n + 1] ?? '').trim();
      return texts;
    });
}
