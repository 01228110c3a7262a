import { describe, expect, test } from 'vitest';
import type { WriteCandidate } from '../../../src/gates/writes/writeGate.ts';
import { judgeWrite } from '../../../src/gates/writes/writeGates.ts';

const title = 'Retries need a limit';
const body = 'A client that retries without a limit keeps a server down that has just come back.';
/** In parts, so that this file holds nothing that looks like a secret itself. */
const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7'].join('');

function judge(
  change: Partial<WriteCandidate> = {},
  given: readonly string[] = [],
  allowedSecrets: readonly string[] = [],
) {
  const candidate = { title, body, fields: { title, kind: 'heuristic', tags: ['retry'] }, ...change };
  return judgeWrite(candidate, { given, allowedSecrets });
}

test('an entry that says something new is accepted, whatever else its session was given', () => {
  expect(judge()).toBeUndefined();
  expect(judge({}, ['Timeouts are set by the caller, and never by the server that it calls.'])).toBeUndefined();
});

describe('an entry is refused', () => {
  test.each<[string, Partial<WriteCandidate>, readonly string[], string, RegExp]>([
    [
      'that does not fit the schema',
      { fields: { title, depth: 9 } },
      [],
      'schema write/badForm',
      /depth: expected 1, 2 or 3/,
    ],
    ['that has a title alone', { body: ' \n' }, [], 'schema write/badForm', /says nothing/],
    ['with a secret in its text', { body: `Use ${token}.` }, [], 'secrets write/secret', /text, line 1/],
    ['with a secret in its title', { title: token }, [], 'secrets write/secret', /title, line 1/],
    ['with a secret in a key', { fields: { title, source: token } }, [], 'secrets write/secret', /frontmatter/],
    [
      'with text that is marked as private',
      { body: `${body} <private>My salary</private>` },
      [],
      'privateText write/private',
      /text/,
    ],
    [
      'with a mark of private text that is not closed',
      { body: `${body} < Private >x` },
      [],
      'privateText write/private',
      /text/,
    ],
    ...['< / private>', '<pri\u200bvate>', '<\uff50rivate>'].map(
      (mark): [string, Partial<WriteCandidate>, readonly string[], string, RegExp] => [
        `with the mark ${JSON.stringify(mark)}`,
        { body: `${body} ${mark}` },
        [],
        'privateText write/private',
        /text/,
      ],
    ),
    [
      'with a mark of private text over two lines of a key',
      { fields: { title, source: '<\nprivate>' } },
      [],
      'privateText write/private',
      /frontmatter/,
    ],
    [
      'that repeats a few words of a longer text',
      { body: 'Retries without a limit' },
      [body.replace('that ', '')],
      'echo write/echo',
      /100 %/,
    ],
    ...[
      body.replaceAll('e', 'e\u200b'),
      body.replaceAll(' ', '_'),
      `<!-- ${Array.from({ length: 40 }, (_, n) => `w${n}`).join(' ')} -->${body}`,
    ].map((hidden, n): [string, Partial<WriteCandidate>, readonly string[], string, RegExp] => [
      `that repeats what was given behind ${['invisible characters', 'marks of emphasis', 'a comment'][n]}`,
      { body: hidden },
      [body],
      'echo write/echo',
      /100 %/,
    ]),
    ['that repeats what was given', {}, [`Known: ${body}`], 'echo write/echo', /100 %/],
    [
      'that repeats it in other case, spacing and marks',
      { body: body.toUpperCase().replaceAll(' ', ',\n') },
      [body],
      'echo write/echo',
      /100 %/,
    ],
    ['that repeats several given texts', {}, [body.slice(0, 52), body.slice(30)], 'echo write/echo', /\d\d %/],
    ['that repeats a short text', { body: 'Use Redis' }, ['We use Redis.', 'use redis'], 'echo write/echo', /100 %/],
    [
      'that repeats a text without blanks',
      { body: '再試行には上限が必要です' },
      ['再試行には上限が必要です。'],
      'echo write/echo',
      /100 %/,
    ],
  ])('%s', (_name, change, given, verdict, finding) => {
    const refusal = judge(change, given);
    expect(`${refusal?.gate} ${refusal?.code}`).toBe(verdict);
    expect(refusal?.findings.join(' ')).toMatch(finding);
    expect(refusal?.findings.join(' ')).not.toContain(token);
  });
});

test('a text of which less than half was given is new', () => {
  const own =
    'Since the release in May we limit every client to five attempts, and wait longer after each of them than before.';
  expect(judge({ body: `${body} ${own}` }, [body])).toBeUndefined();
});

test('a secret that a person allowed is none', () => {
  const id = /id (\w+)/.exec(judge({ body: token })?.findings[0] ?? '')?.[1] ?? '';
  expect(id).not.toBe('');
  expect(judge({ body: `Use ${token} in examples.` }, [], [id])).toBeUndefined();
});

test('a gate that throws refuses', () => {
  const accept = () => undefined;
  const table = {
    schema: accept,
    secrets() {
      throw new Error('no such table');
    },
    privateText: accept,
    echo: accept,
  };
  expect(judgeWrite({ title, body, fields: {} }, { given: [], allowedSecrets: [] }, table)).toEqual({
    ...{ gate: 'secrets', code: 'gate/threw', findings: ['The gate secrets failed: no such table.'] },
  });
});
