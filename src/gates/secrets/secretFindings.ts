import { readDiff } from './addedLines.ts';
import { findSecrets } from './findSecrets.ts';
import { secretId } from './secretId.ts';

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
}

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
  allowed: ReadonlySet<string>,
  isJudged: (path: string) => boolean = () => true,
): string[] {
  return describeSecrets(secretsAdded(diff, allowed, isJudged));
}

/** The secrets in what a diff adds. */
export function secretsAdded(
  diff: string,
  allowed: ReadonlySet<string>,
  isJudged: (path: string) => boolean = () => true,
): readonly SecretAdded[] {
  const { added, before } = readDiff(diff);
  const judged = added
    .filter(({ path }) => isJudged(path))
    .map(({ path, text, lines }): JudgedText => ({ name: path, text, lines }));
  return judged.length === 0 ? [] : [...newSecrets(judged, { before: secretsBefore([before]), allowed })];
}

function* newSecrets(texts: Iterable<JudgedText>, { before, allowed }: KnownSecrets): Generator<SecretAdded> {
  for (const { name, text, lines } of texts) {
    const lineOf = createLineCounter(text);
    for (const { index, value, service } of findSecrets(text)) {
      if (before.has(value)) continue;
      const id = secretId(value);
      if (allowed.has(id)) continue;
      const line = lineOf(index);
      const place = `${name}, line ${lines?.[line - 1] ?? line}`;
      yield { finding: `${place}: this looks like ${withArticle(service)} (id ${id}).`, added: value };
    }
  }
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
function secretsIn(texts: Iterable<string>): Set<string> {
  const values = new Set<string>();
  for (const text of texts) for (const { value } of findSecrets(text)) values.add(value);
  return values;
}

/** The secrets in these texts, which are searched when it is first asked for one: nearly always it never is. */
export function secretsBefore(texts: Iterable<string>): KnownSecrets['before'] {
  let found: ReadonlySet<string> | undefined;
  return {
    has: (value) => {
      found ??= secretsIn(texts);
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
