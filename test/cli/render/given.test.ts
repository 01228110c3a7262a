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
  expect(formatGiven(page, plainStyle, 120)).toEqual([
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
