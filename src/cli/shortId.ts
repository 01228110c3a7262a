import { failure } from '../model/codes.ts';
import { idPartLengthMin, isUlid } from '../model/id.ts';

/** Whether a person may mean an id by it: the whole one, its beginning or its end. */
export function isIdPart(named: string): boolean {
  return named.length >= idPartLengthMin && isUlid(named.toUpperCase().padStart(26, '0'));
}

/** Those rows whose id a person named by it, its beginning or its end. ULIDs of one afternoon differ only at their ends. */
export function rowsWithId<Row>(named: string, rows: readonly Row[], idOf: (row: Row) => string): readonly Row[] {
  if (!isIdPart(named)) return [];
  const part = named.toUpperCase();
  return rows.filter((row) => idOf(row).startsWith(part) || idOf(row).endsWith(part));
}

/** The only one of `rowsWithId`; undefined if there is none. Throws `cli/usage` if several fit; `nouns` says several what. */
export function rowWithId<Row>(
  named: string,
  rows: readonly Row[],
  nouns: string,
  idOf: (row: Row) => string,
): Row | undefined {
  const fitting = rowsWithId(named, rows, idOf);
  if (fitting.length <= 1) return fitting[0];
  const ids = fitting.map(idOf).join(', ');
  throw failure('cli/usage', named, `${fitting.length} ${nouns} have an id like "${named}": ${ids}.`, {
    help: 'Give more of the id.',
  });
}

/** The whole id that a person named. What is not a part of a known id is given back, for the request to refuse. */
export async function wholeId(
  named: string,
  nouns: string,
  listIds: () => Promise<readonly string[]>,
): Promise<string> {
  const whole = named.toUpperCase();
  if (isUlid(whole)) return whole;
  if (!isIdPart(named)) return named;
  return rowWithId(named, await listIds(), nouns, (id) => id) ?? named;
}
