import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundedPatterns } from '../support/boundedPatterns.ts';
import { foreignReaders, type Reader } from '../support/foreignReaders.ts';
import { type Shape, textOf, timeOf } from '../support/growth.ts';
import { patternsIn } from '../support/patterns.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, processorMs, round, sized } from './bench.ts';

const seed = Number(process.env['RAVEL_SEED'] ?? 1);
const charactersMax = sized(1_000_000, 4_000);
const limitMs = 100;

/** The worst input of each reader and of each regular expression, found by a search, and read once. */
async function untrustedText(): Promise<BenchRow> {
  const random = createRandom(seed);
  const worst = [...foreignReaders, ...patternReaders()].map((reader) => worstOf(reader, random));
  worst.sort((one, other) => other.ms - one.ms);
  const [slowest] = worst;
  const over = worst.filter(({ ms }) => ms > limitMs);
  const value = round(slowest?.ms ?? Number.NaN, 0);
  return {
    id: 'untrusted-text',
    value,
    unit: 'ms',
    goal: `≤ ${limitMs} each`,
    ok: over.length === 0,
    note: `processor time for ${charactersMax} characters, ${worst.length} readers, seed ${seed}; the slowest: ${worst
      .slice(0, Math.max(3, over.length))
      .map(({ name, ms, unit, length }) => `${name} ${round(ms, 0)} ms for ${length} of ${unit}`)
      .join(', ')}`,
  };
}

function patternReaders(): Reader[] {
  const files = ['src', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const patterns = files.flatMap((path) => patternsIn({ path, text: readFileSync(path, 'utf8') }));
  return patterns.flatMap(({ place: name, literal, written }) => {
    // What is listed meets little text; the readers above use the rest of it.
    if (literal === undefined || Object.hasOwn(boundedPatterns, written)) return [];
    const pattern = new RegExp(literal.source, literal.flags);
    const pieces = literal.source.match(/[A-Za-z0-9]{1,6}|[^A-Za-z0-9\\]/g) ?? [];
    return [{ name: `${name} ${written}`, pieces, read: (text: string) => text.replace(pattern, '') }];
  });
}

const commonPieces = ['a', '0', ' ', '\n', '-', '/', '"', 'aA', '.', '\t', '_', '\\', 'a\u0001 ', '\u0001\n'];
const tries = sized(40, 4);
/** A text for which a reader takes longer than this ends the search. */
const patienceMs = 1000;

/**
 * Tries many shapes at a small length; those that took longest, and those whose time grew most since, are tried at eight
 * times that length, until the few that are left are read at full length. The growth counts and not the time alone, since
 * a quadratic reader may be a fast one at first.
 */
function worstOf({ name, pieces, read, charactersMax: most }: Reader, random: (below: number) => number) {
  const full = Math.min((most ?? charactersMax + 1) - 1, charactersMax);
  let candidates = shapesOf(pieces, random).map((shape) => ({ shape, ms: 0, growth: 0 }));
  for (const [length, kept] of [
    [2000, 32],
    [16_000, 8],
    [128_000, 3],
  ] as const) {
    if (length >= full) break;
    const timed: typeof candidates = [];
    for (const { shape, ms: before } of candidates) {
      const text = textOf(shape, length);
      const first = timeOf(read, text);
      // It is known already, and longer texts would take hours.
      if (first > patienceMs) return { name, ms: first, ...named(shape, length) };
      const ms = Math.min(first, timeOf(read, text));
      timed.push({ shape, ms, growth: ms / Math.max(before, 0.01) });
    }
    const slowest = timed.toSorted((one, other) => other.ms - one.ms);
    const steepest = timed.toSorted((one, other) => other.growth - one.growth);
    candidates = [...new Set([...slowest.slice(0, kept), ...steepest.slice(0, kept / 2)])];
  }
  let worst = { name, ms: 0, unit: '', length: 0 };
  for (const { shape } of candidates) {
    const text = textOf(shape, full);
    const start = processorMs();
    read(text);
    const ms = processorMs() - start;
    if (ms >= worst.ms) worst = { name, ms, ...named(shape, full) };
  }
  return worst;
}

function named({ before = '', unit, second = '', after = '' }: Shape, length: number) {
  return { length, unit: [before, unit, second, after].map((part) => JSON.stringify(part)).join('+') };
}

/** Each piece by itself; then by random two or three of them, behind, between or before others. */
function shapesOf(pieces: readonly string[], random: (below: number) => number): Shape[] {
  const all = [...new Set([...pieces, ...commonPieces])];
  const some = () => all[random(all.length)] ?? 'a';
  const made = Array.from({ length: tries }, (): Shape[] => [
    { unit: some() + some(), after: '\0' },
    { unit: some() + some() + some() },
    { before: some(), unit: some(), after: some() },
    { unit: some(), second: some() },
    { before: some(), unit: some() + some(), second: some(), after: some() },
  ]);
  return [...all.flatMap((unit) => [{ unit }, { unit, after: '!' }]), ...made.flat()];
}

export const benches: readonly Bench[] = [{ id: 'untrusted-text', run: untrustedText }];
