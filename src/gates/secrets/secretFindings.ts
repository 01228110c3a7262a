import type { StoredValues } from '../../model/storedValues.ts';
import { readDiff } from './addedLines.ts';
import { findSecrets } from './findSecrets.ts';
import { secretId } from './secretId.ts';
import type { FoundToken } from './tokenScanner.ts';

/** A text that is judged: what it is called, and the number of each of its lines if they do not count from 1. */
export interface JudgedText {
  readonly name: string;
  readonly text: string;
  readonly lines?: readonly number[];
}

export interface KnownSecrets {
  /** Secrets that were there before, so the change did not add them. */
  readonly before: Pick<ReadonlySet<string>, 'has'>;
  /** Ids that a person allowed. */
  readonly allowed: ReadonlySet<string>;
  /** Values that a person keeps: none of them is ever allowed. */
  readonly stored?: StoredValues | undefined;
}

/** What is known besides a diff, which says itself what was there before. */
type DiffKnown = Omit<KnownSecrets, 'before'>;

/** Findings that are named; of the others only their number is given. */
const findingsMax = 50;

/** A secret that is new: a sentence with its place and its service, and the secret itself, which is never shown. */
interface SecretAdded {
  readonly finding: string;
  readonly added: string;
}

/** One sentence for each secret: the place and the service, never the secret. */
export function secretFindings(texts: Iterable<JudgedText>, known: KnownSecrets): string[] {
  return describeSecrets(newSecrets(texts, known));
}

/** The findings in what a diff adds. Lines that it moves, or that stand around its changes, were there before. */
export function diffFindings(
  diff: string,
  known: DiffKnown,
  isJudged: (path: string) => boolean = () => true,
): string[] {
  return describeSecrets(secretsAdded(diff, known, isJudged));
}

/** The secrets in what a diff adds. */
export function secretsAdded(
  diff: string,
  { allowed, stored }: DiffKnown,
  isJudged: (path: string) => boolean = () => true,
): readonly SecretAdded[] {
  const { added, before } = readDiff(diff);
  const judged = added
    .filter(({ path }) => isJudged(path))
    .map(({ path, text, lines }): JudgedText => ({ name: path, text, lines }));
  return judged.length === 0
    ? []
    : [...newSecrets(judged, { before: secretsBefore([before], stored), allowed, stored })];
}

function* newSecrets(texts: Iterable<JudgedText>, { before, allowed, stored }: KnownSecrets): Generator<SecretAdded> {
  for (const { name, text, lines } of texts) {
    const placeFrom = (count: (index: number) => number) => (index: number) => {
      const line = count(index);
      return `${name}, line ${lines?.[line - 1] ?? line}`;
    };
    const exact = stored?.find(text) ?? [];
    const placeOfExact = placeFrom(createLineCounter(text));
    for (const { index, value, service } of exact) {
      if (!before.has(value)) yield { finding: `${placeOfExact(index)}: this is the ${service}.`, added: value };
    }
    const placeOf = placeFrom(createLineCounter(text));
    for (const { index, value, service } of findSecrets(text)) {
      if (before.has(value) || exact.some((one) => overlap(one, { index, value }))) continue;
      const id = secretId(value);
      if (allowed.has(id)) continue;
      yield { finding: `${placeOf(index)}: this looks like ${withArticle(service)} (id ${id}).`, added: value };
    }
  }
}

type Span = Pick<FoundToken, 'index' | 'value'>;

/** What is a stored secret is told as that alone. */
function overlap(one: Span, other: Span): boolean {
  return one.index < other.index + other.value.length && other.index < one.index + one.value.length;
}

function describeSecrets(secrets: Iterable<SecretAdded>): string[] {
  const findings = [...secrets].map(({ finding }) => finding);
  const more = findings.length - findingsMax;
  return more <= 0 ? findings : [...findings.slice(0, findingsMax), `There are ${more} more.`];
}

function withArticle(service: string): string {
  return `${/^(?:[aeio]|npm|xai|hcp)/i.test(service) ? 'an' : 'a'} ${service}`;
}

/** The values of all secrets in these texts. */
function secretsIn(texts: Iterable<string>, stored: StoredValues | undefined): Set<string> {
  const values = new Set<string>();
  for (const text of texts) {
    for (const { value } of [...findSecrets(text), ...(stored?.find(text) ?? [])]) values.add(value);
  }
  return values;
}

/** The secrets in these texts, which are searched when it is first asked for one: nearly always it never is. */
export function secretsBefore(texts: Iterable<string>, stored?: StoredValues): KnownSecrets['before'] {
  let found: ReadonlySet<string> | undefined;
  return {
    has: (value) => {
      found ??= secretsIn(texts, stored);
      return found.has(value);
    },
  };
}

/** Tells the line of an offset, from 1; the offsets must come in order. */
export function createLineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (index) => {
    while (next >= 0 && next < index) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  };
}
