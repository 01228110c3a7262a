import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { WriteCandidate } from '../../../src/gates/writes/writeGate.ts';
import { judgeWrite } from '../../../src/gates/writes/writeGates.ts';

const title = 'Retries need a limit';
const body = 'A client that retries without a limit keeps a server down that has just come back.';
/** In parts, so that this file holds nothing that looks like a secret itself. */
const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7'].join('');

/** Texts that look like another one to a person, or are that one with words put in. */
const disguises: readonly (readonly [string, (text: string) => string])[] = [
  ['in letters of other scripts', (text) => text.replace(/[aeopcxy]/g, (letter) => cyrillic[letter] ?? letter)],
  ['in letters of another face', (text) => text.replace(/[a-z]/g, (letter) => bold(letter))],
  ['in full-width letters', (text) => text.replace(/[a-z]/g, (letter) => String.fromCodePoint(wide(letter)))],
  ['with struck-out letters', (text) => text.replace(/[a-z]/g, (letter) => `${letter}\u0336`)],
  ['in decimal entities', (text) => text.replace(/[a-z]/g, (letter) => `&#${letter.codePointAt(0)};`)],
  ['in hexadecimal entities', (text) => text.replace(/[a-z]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`)],
  ['in entities of entities', (text) => text.replace(/e/g, '&amp;#101;')],
  ['in named entities', (text) => text.replace(/[eo]/g, (letter) => `&${letter}scr;`).replaceAll('a', '&shy;&aacute;')],
  ['between tags', (text) => text.replace(/e/g, 'e<b></b>')],
  ['with marks in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, '**e**')],
  ['with marks without a text in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e****')],
  ['with escaped marks in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e\\_\\*')],
  ['with underscores in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e____')],
  ['with comments in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e<!-- or -->')],
  ['with comments of Obsidian in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e%%or%%')],
  ['with links without a text in its words', (text) => text.replace(/(?<=[a-z])e(?=[a-z])/g, 'e[](or)')],
  ['with comments for blanks', (text) => text.replaceAll(' ', '<!-- or -->')],
  ['with blanks in its words', (text) => text.replaceAll('a', ' a ')],
  ['in a comment', (text) => `Short.\n<!-- ${text} -->`],
  ['in a comment of Obsidian', (text) => `Short.\n%% ${text} %%`],
  ['in the title of a link', (text) => `[Short](https://a.test "${text}")`],
  ['in an attribute', (text) => `<b title="${text}">Short</b>`],
  ['with digits for letters', (text) => text.replace(/(?<=[a-z])l(?=[a-z])/g, '1').replace(/(?<=[a-z])o/g, '0')],
  ['with a word after each', (text) => text.replaceAll(' ', ' really ')],
  ['with other words after each third one', (text) => pad(text, 3, 'as we have seen')],
  ['with another word after each second one', (text) => pad(text, 2, '%')],
];

const cyrillic: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у' };

function bold(letter: string): string {
  return String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97);
}

function wide(letter: string): number {
  return 0xff41 + letter.charCodeAt(0) - 97;
}

/** The words of a text, with others after each `every` of them; `%` is another one each time. */
function pad(text: string, every: number, words: string): string {
  const put = (at: number) => (at % every === every - 1 ? ` ${words === '%' ? `word${at}` : words}` : '');
  return text
    .split(' ')
    .map((word, at) => `${word}${put(at)}`)
    .join(' ');
}

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
    ...disguises.map(([how, disguised]): [string, Partial<WriteCandidate>, readonly string[], string, RegExp] => [
      `that repeats what was given ${how}`,
      { body: disguised(body) },
      [`Known: ${body}`],
      'echo write/echo',
      /\d\d %/,
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

test('a text about the same thing, and one that says the opposite in nearly the same words, are new', async () => {
  const pairs: readonly { readonly id: string; readonly left: { text: string }; readonly right: { text: string } }[] =
    parse(await readFile(join(process.cwd(), 'test/fixtures/experts/pairs.yaml'), 'utf8'));
  const refused = pairs.flatMap(({ id, left, right }) => [
    ...(judge({ body: left.text }, [right.text]) === undefined ? [] : [id]),
    ...(judge({ body: right.text }, [left.text]) === undefined ? [] : [id]),
  ]);
  // One word of twenty-four differs in it.
  expect(refused).toEqual(['contradicting-48', 'contradicting-48']);
});

test('what a page hides of what a session was given is known as well', () => {
  expect(judge({}, [`One.\n<!-- ${body} -->`])).toMatchObject({ code: 'write/echo' });
});

test('a comment and a link that were not given do not make an echo of new words', () => {
  const own = 'Since May each client has five attempts and waits longer after each of them. <!-- measured by hand -->';
  expect(judge({ body: `${own} See [the limit](https://a.test "${title}").` }, [body])).toBeUndefined();
});

test('texts in other scripts are compared in their own words', () => {
  const given = 'Клиент, который повторяет запросы без ограничения, не даёт серверу подняться после сбоя.';
  expect(judge({ body: given.toUpperCase() }, [given])).toMatchObject({ code: 'write/echo' });
  expect(judge({ body: 'Сервер ограничивает число запросов каждого клиента.' }, [given])).toBeUndefined();
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
