import { isRecord } from '../base/json.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { entropyBits } from './secrets/placeholders.ts';
import {
  createLineCounter,
  diffFindings,
  type JudgedText,
  type KnownSecrets,
  secretFindings,
  secretsBefore,
} from './secrets/secretFindings.ts';

/**
 * Nothing that looks like a secret is committed or sent: what is committed cannot be taken back. The plan's files, the
 * summary and what the source gained are looked at. A secret is never repeated in a finding; its place, its service and an
 * id that does not tell it are enough to find it. What was there before is not this session's doing.
 */
export function judgeSecrets(proposal: Proposal): Verdict {
  const { base, facts } = proposal;
  const allowed = new Set(facts.allowedSecrets);
  const dirty = new Set(facts.dirtyBefore);
  const stored = facts.storedSecrets;
  const known = { before: secretsBefore([...base.values()], stored), allowed, stored };
  const findings = [
    ...secretFindings(changedTexts(proposal), known),
    ...escapedFindings(proposal, known),
    ...diffFindings(facts.diff, { allowed, stored }, (path) => !dirty.has(path)),
  ];
  if (findings.length > 0) {
    return { outcome: 'reject', reason: secretReason, findings, retryable: true };
  }
  const notes = randomTokens(proposal);
  return notes.length === 0 ? { outcome: 'accept' } : { outcome: 'accept', notes };
}

export const secretReason =
  'Something looks like a secret: take it out, and say where it is kept instead. If it is none, a person can add its id to gates.allowed-secrets in daemon.toml, and retry.';

function* changedTexts({ base, proposed, summary }: Proposal): Generator<JudgedText> {
  for (const [file, text] of proposed) if (base.get(file) !== text) yield { name: file, text };
  yield { name: 'summary', text: summary };
}

/** What files say once their escapes are read (`"gh\x70…"`, a string that goes on in the next line). */
function escapedFindings({ base, proposed, proposedValues }: Proposal, known: KnownSecrets): readonly string[] {
  return [...proposedValues].flatMap(([file, { value }]) => {
    const text = proposed.get(file) ?? '';
    if (base.get(file) === text || !text.includes('\\')) return [];
    const written = secretsBefore([text], known.stored);
    const before = { has: (secret: string) => known.before.has(secret) || written.has(secret) };
    const read = { name: `${file}, with its escapes read`, text: [...stringsOf(value)].join('\n') };
    return secretFindings([read], { ...known, before });
  });
}

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* stringsOf(item);
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* stringsOf(item);
    }
  }
}

/** Measured on a real plan: ids and paths reach 4.0 bits a character, none reaches this. */
const entropyBitsMin = 4.5;
const tokenPattern = /[A-Za-z0-9+/=_-]+/g;
/** Characters of a text that can be an unknown token; shorter ones are mostly names. */
const tokenCharsMin = 32;
/** Notes about one proposal; a person reads no more. */
const notesMax = 50;

/** Notes for long random tokens of no known format, which may be anything. */
function randomTokens(proposal: Proposal): readonly string[] {
  const notes: string[] = [];
  let known: ReadonlySet<string> | undefined;
  const isKnown = (token: string) => {
    known ??= new Set([...proposal.base.values()].flatMap((text) => longTokens(text).map(([before]) => before)));
    return known.has(token);
  };
  for (const { name, text } of changedTexts(proposal)) {
    const lineOf = createLineCounter(text);
    for (const [token, index] of longTokens(text)) {
      if (notes.length >= notesMax || entropyBits(token) < entropyBitsMin || isKnown(token)) continue;
      notes.push(`${name}, line ${lineOf(index)}: a long token that looks random; check that it is not a secret.`);
    }
  }
  return notes;
}

function longTokens(text: string): (readonly [token: string, index: number])[] {
  return [...text.matchAll(tokenPattern)].flatMap(({ 0: token, index }) =>
    token.length < tokenCharsMin ? [] : [[token, index] as const],
  );
}
