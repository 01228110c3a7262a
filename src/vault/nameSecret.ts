import { isDeepStrictEqual } from 'node:util';
import { failure } from '../model/codes.ts';
import type { SecretPlace, SecretSource } from '../model/secretState.ts';
import { isTable, locateKey, parseToml } from './toml.ts';

type Stored = Extract<SecretPlace, { readonly kind: 'age' | 'keychain' | 'editor' }>;

/**
 * The text of a configuration with a line in `[secrets]` that says where a secret is kept; every other byte stays. Throws
 * `secrets/badSettings` if the table is written in a way in which a line cannot be added.
 */
export function withSecret(text: string, { name, place }: SecretSource & { place: Stored }, file: string): string {
  const entry = entryOf(place);
  const line = `${keyOf(name)} = { ${Object.entries(entry)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join(', ')} }`;
  const lines = text.split('\n');
  const at = lines.findIndex((one) => /^[ \t]*\[[ \t]*secrets[ \t]*\][ \t]*(?:#|\r?$)/.test(one));
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  const gap = text.trim() === '' ? '' : '\n';
  const ending = (lines[at] ?? '').endsWith('\r') ? '\r' : '';
  const next =
    at < 0 ? `${text}${end}${gap}[secrets]\n${line}\n` : lines.toSpliced(at + 1, 0, line + ending).join('\n');
  const before = tablesOf(text, file);
  const wanted = { ...before, secrets: { ...secretsOf(before), [name]: entry } };
  return checked(next, { file, wanted, advice: `Add this line to it below [secrets]: ${line}` });
}

/** The same without the line of a secret. */
export function withoutSecret(text: string, name: string, file: string): string {
  const at = locateKey(text, ['secrets', name])?.start.line;
  const before = tablesOf(text, file);
  const { [name]: _gone, ...rest } = secretsOf(before);
  const next = at === undefined ? text : text.split('\n').toSpliced(at, 1).join('\n');
  const advice = `Take the entry ${name} out of [secrets] there.`;
  return checked(next, { file, wanted: { ...before, secrets: rest }, advice });
}

/** An edit of text that is not what it is meant to be is not made: a person wrote that file. */
function checked(
  next: string,
  { file, wanted, advice }: { readonly file: string; readonly wanted: unknown; readonly advice: string },
): string {
  const cannot = (cause?: unknown) =>
    failure('secrets/badSettings', file, `${file} writes its table [secrets] in a way that Ravel cannot edit.`, {
      ...{ file, help: advice, cause },
    });
  let now: unknown;
  try {
    now = tablesOf(next, file);
  } catch (error) {
    throw cannot(error);
  }
  if (!isDeepStrictEqual(plain(now), plain(wanted))) throw cannot();
  return next;
}

/** The parser makes tables without a prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

function tablesOf(text: string, file: string) {
  return parseToml(text, { file, subject: file, code: 'secrets/badSettings' });
}

function secretsOf(tables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isTable(tables['secrets']) ? tables['secrets'] : {};
}

function keyOf(name: string): string {
  return name.includes('.') ? JSON.stringify(name) : name;
}

function entryOf(place: Stored): Readonly<Record<string, string | boolean>> {
  switch (place.kind) {
    case 'age':
      return { age: place.file, identity: place.identity };
    case 'keychain':
      return { keychain: true };
    case 'editor':
      return { editor: true };
  }
}
