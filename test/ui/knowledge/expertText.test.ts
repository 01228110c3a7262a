import { expect, test } from 'vitest';
import { expertSchema } from '../../../src/model/expert.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { ExpertPage } from '../../../src/model/requests/experts.ts';
import { expertDocument } from '../../../src/ui/knowledge/expertText.ts';
import type { Page } from '../../../src/ui/knowledge/page.ts';

const actor = toQualifiedId('expert:rust');
const id = '01JD0000000000000000000001' as Ulid;
const at = '2026-01-02T03:04:05Z';
const pinning = 'knowledge/languages/rust/pinning.md';
const nothing: ExpertPage = {
  ...{ actor, file: '/vault/experts/rust.md', scopes: [{ scope: 'languages/rust', entries: 0 }], diagnostics: [] },
  declaration: expertSchema.parse({
    ...{
      'actor-type': 'expert',
      'expert-id': 'rust',
      description: 'Knows Rust',
      persona: 'You know Rust.\n# Be brief',
    },
    'knowledge-scope': ['languages/rust'],
  }),
  ...{
    entries: { total: 0, shown: [] },
    questions: [],
    answers: { total: 0, shown: [] },
    gaps: { total: 0, shown: [] },
  },
};

/** What leads somewhere, by its text. */
function linked({ text, links }: Page): Record<string, unknown> {
  const lines = text.split('\n');
  return Object.fromEntries(
    links.map(({ line, start, end, to }) => [
      lines[line]?.slice(start, end),
      'file' in to ? to.file : [to.command, ...to.arguments],
    ]),
  );
}

test('the page of an expert has its questions, answers, gaps, entries and persona, and each leads to its place', () => {
  const about = { at, expert: actor, from: 'person', cites: ['x'] } as const;
  const edited = { id: 'x', title: 'Pinning', path: pinning, change: 'edited' } as const;
  const page = expertDocument(
    {
      ...nothing,
      questions: [
        {
          query: id,
          to: actor,
          from: 'person',
          at,
          question: 'Who pins?',
          askedBack: { by: actor, text: 'Where?', round: 1 },
        },
      ],
      answers: {
        total: 12,
        shown: [
          {
            ...{ ...about, id, question: 'When?', state: 'answered', isSupported: true },
            comparison: { isSame: false, changed: [], entries: [edited] },
          },
          { ...about, id, question: 'Why? It is about: ```rust fn```', state: 'unknown', isSupported: true },
        ],
      },
      gaps: { total: 1, shown: [{ id, at, question: 'How long?', missing: 'Its length' }] },
      scopes: [{ scope: 'languages/rust', entries: 2 }],
      entries: { total: 3, shown: [{ title: 'Pinning', path: pinning, kind: 'reference', status: 'staged' }] },
      diagnostics: [{ code: 'expert/emptyScope', severity: 'warning', message: 'No entry.', subject: actor }],
    },
    'experts/rust.md',
  );
  for (const line of [
    '# Expert rust',
    '- No entry.',
    '## Open questions: 1',
    '  - It asks back: “Where?” Reply · Answer in its place',
    '## Latest answers: the newest 2 of 12',
    '## What it could not answer: 1',
    '- How long?: Its length',
    '## What it covers: 3 entries',
    '- languages/rust: 2 entries',
    '- Pinning (reference, staged)',
    '- and 2 more entries',
    '> # Be brief',
  ])
    expect(page.text.split('\n')).toContain(line);
  expect(page.text).toMatch(/^- When\?: answered from 1 entry, .+, out of date because “Pinning” was edited$/m);
  expect(linked(page)).toEqual({
    'Ask a question': ['ravel.askQuestion', actor],
    'Open its declaration': 'experts/rust.md',
    'Show all answers': ['ravel.showReceipts', actor],
    Reply: ['ravel.replyToQuestion', id],
    'Answer in its place': ['ravel.answerForActor', id],
    'When?': ['ravel.openReceipt', id],
    'Why? It is about: …': ['ravel.openReceipt', id],
    'How long?': ['ravel.openAnswer', id],
    Pinning: pinning,
  });
});

test('the page of an expert that was never asked says so in words', () => {
  const { text } = expertDocument(nothing, 'experts/rust.md');
  for (const words of [
    'Every question has its answer.',
    'It has not answered yet.',
    'Nothing so far.',
    '- languages/rust: 0 entries',
  ])
    expect(text).toContain(words);
  expect(text).not.toContain('Problems');
});
