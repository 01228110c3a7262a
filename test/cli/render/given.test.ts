import { expect, test } from 'vitest';
import { formatGiven } from '../../../src/cli/render/given.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { GivenPage } from '../../../src/model/requests/inspect.ts';

const page: GivenPage = {
  plan: toQualifiedId('Demo/project-root'),
  session: '01JD0000000000000000000001' as Ulid,
  phase: 'work',
  given: [{ name: 'prompt/MEMORY', bytes: 1200, tokens: 300, sha256: '', reason: "the plan's memory" }],
  recorded: null,
  reported: null,
  memory: {
    ...{ given: 'relevant', count: 4, bytesMax: 2000 },
    entries: [
      { id: 'a', title: 'Names are trimmed', place: 'full', rank: 1, words: ['greet', 'name'] },
      { id: 'b', title: 'Cheese is cold', place: 'title', words: [] },
      { id: 'c', title: 'Too large', place: 'left', rank: 2, words: ['name'] },
    ],
  },
  later: [
    {
      ...{ at: '2026-01-02T03:04:05Z', tool: 'Read', bytes: 400 },
      entries: [{ id: 'd', title: 'About greet', name: 'greet.mjs', whole: true }],
    },
  ],
};

test('what a session was given is listed with why each entry is there, how it ranked, and what came later', () => {
  expect(formatGiven(page, { style: plainStyle, columns: 120, all: false })).toEqual([
    'Session 01JD0000000000000000000001, work',
    '',
    'PART           SIZE    WHY',
    "prompt/MEMORY  1.2 kB  the plan's memory",
    '1.2 kB in all.',
    '',
    'Memory',
    '1 of 4 entries in full, 1 by title, 2 left out, within 2 kB.',
    'RANK  GIVEN  ENTRY              WHY',
    '1     full   Names are trimmed  has greet, name',
    '      title  Cheese is cold     has no word of the task; no room left',
    '2     left   Too large          has name; no room left',
    '',
    'Came later',
    'WHEN                  AFTER  ENTRY        WHY',
    '2026-01-02T03:04:05Z  Read   About greet  names greet.mjs',
    '1 answer with 400 B of memory.',
  ]);
});

test('the stretches of the instructions are one line unless all are wanted, and no byte is missing from the sum', () => {
  const part = (name: string, bytes: number) => ({ name, bytes, tokens: 0, sha256: '', reason: `why ${name}` });
  const given = [
    ...[part('system/template', 1000), part('system/PHASE', 10)],
    ...[part('prompt/template', 2000), part('prompt/MEMORY', 1200), part('prompt/template', 500)],
    ...[part('prompt/separator', 7), part('tools/finish_phase', 300)],
  ];
  const { memory: _memory, later: _later, ...rest } = { ...page, given };
  const form = { style: plainStyle, columns: 120 };
  expect(formatGiven(rest, { ...form, all: false }).slice(2)).toEqual([
    'PART                         SIZE    WHY',
    '4 parts of the instructions  3.5 kB  the texts around the parts below; --all lists each',
    'system/PHASE                 10 B    why system/PHASE',
    'prompt/MEMORY                1.2 kB  why prompt/MEMORY',
    'tools/finish_phase           300 B   why tools/finish_phase',
    '5.0 kB in all.',
  ]);
  expect(
    formatGiven(rest, { ...form, all: true })
      .slice(3, -1)
      .map((line) => line.split(' ')[0]),
  ).toEqual(given.map(({ name }) => name));
});
