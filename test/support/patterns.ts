import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isRecord } from '../../src/base/json.ts';
import { boundedPatterns } from './boundedPatterns.ts';
import { lineOf, type SourceFile } from './sourceText.ts';

/** A regular expression of the sources. */
interface Pattern {
  /** `path:line`. */
  readonly place: string;
  /** As it is written between the slashes, and its flags; undefined if a program puts it together. */
  readonly literal: { readonly source: string; readonly flags: string } | undefined;
  /** The text that it is written with. */
  readonly written: string;
}

/** What the judge found out about patterns once: those that take linear time, by their hashes. */
const recordFile = join(import.meta.dirname, 'linearPatterns.txt');

/**
 * One line for each regular expression of these files whose time is not known to grow with its text alone. What is not on
 * record is judged by recheck, which takes seconds for some, and on a busy machine does not come to an end: a new one has
 * to be put there by `UPDATE_GOLDEN=1`.
 */
export async function superLinearPatterns(files: readonly SourceFile[]): Promise<string[]> {
  const known = new Set(readFileSync(recordFile, 'utf8').split('\n'));
  const inUse = new Set<string>();
  const problems: string[] = [];
  const reasons = new Set<string>();
  const isRecording = process.env['UPDATE_GOLDEN'] === '1';
  for (const { place, literal, written } of files.flatMap(patternsIn)) {
    const listed = [written, ...(literal === undefined ? [place.replace(/:\d+$/, '')] : [])];
    const reason = listed.find((key) => Object.hasOwn(boundedPatterns, key));
    if (reason !== undefined) {
      reasons.add(reason);
    } else if (literal === undefined) {
      problems.push(`${place}: no one can judge ${written}; write a literal, or say in boundedPatterns why it is safe`);
    } else {
      const hash = hashOf(written);
      const problem = known.has(hash) ? undefined : ((await judge(literal)) ?? (isRecording ? undefined : unrecorded));
      if (problem === undefined) inUse.add(hash);
      else problems.push(`${place}: ${problem}: ${written}`);
    }
  }
  const unused = Object.keys(boundedPatterns).filter((pattern) => !reasons.has(pattern));
  if (isRecording) writeFileSync(recordFile, `${[...inUse].sort().join('\n')}\n`);
  return [...problems, ...unused.map((pattern) => `boundedPatterns holds ${pattern}, which no file uses`)];
}

/** Every pattern that is written in a file or made by it. Throws for a file that cannot be parsed. */
export function patternsIn({ path, text }: SourceFile): Pattern[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const patterns: Pattern[] = [];
  visit(program);
  return patterns;

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (!isRecord(node)) return;
    const { type, start, end } = node;
    if (typeof type === 'string' && typeof start === 'number' && typeof end === 'number') {
      const written = text.slice(start, end);
      const place = `${path}:${lineOf(text, start)}`;
      if (type === 'Literal' && isRecord(node['regex'])) {
        const { pattern, flags } = node['regex'];
        patterns.push({ place, literal: { source: String(pattern), flags: String(flags) }, written });
      } else if (isMaker(node)) {
        patterns.push({ place, literal: undefined, written });
      }
    }
    for (const value of Object.values(node)) visit(value);
  }
}

/** `new RegExp(…)` and `RegExp(…)`. */
function isMaker({ type, callee }: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  return isRecord(callee) && callee['name'] === 'RegExp';
}

function hashOf(written: string): string {
  return createHash('sha256').update(written).digest('hex').slice(0, 16);
}

const unrecorded = 'takes linear time, but is not on record; run UPDATE_GOLDEN=1 npm run check';

const timeoutMs = 10_000;

/** What is wrong with a pattern; undefined if nothing is. */
async function judge({ source, flags }: { readonly source: string; readonly flags: string }) {
  // Its other ways start a process.
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = await import('recheck');
  const exact = checkSync(source, flags, { checker: 'automaton', timeout: timeoutMs });
  // Lookarounds and counts are not for the automaton; then attacks are searched for, always the same ones.
  const found = exact.status === 'unknown' ? checkSync(source, flags, { checker: 'fuzz', timeout: timeoutMs }) : exact;
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return 'it is unknown how long it takes';
  return `takes more than linear time (${found.complexity.summary}), as for ${found.attack.pattern}`;
}
