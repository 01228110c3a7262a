import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { type Ingestion, ingestionSchema } from '../../../src/model/ingestion.ts';
import { learnedChoices, learnedDocument } from '../../../src/ui/knowledge/learnedText.ts';

const id = '01JD0000000000000000000001' as Ulid;
const question = '01JD0000000000000000000002' as Ulid;
const plan = toQualifiedId('shop/project-root');
const learned: Ingestion = ingestionSchema.parse({
  ...{ id, at: '2026-01-02T03:04:05Z', plan, record: 'r' },
  candidates: [
    {
      ...{ entry: 'e', hash: 'h', title: 'Retries need a limit', body: 'Five.\n# Not a heading', state: 'waiting' },
      ...{ claims: ['The test fails without it'], folder: 'tools', tags: ['net'], reasons: [] },
      near: [{ path: 'knowledge/tools/backoff.md', title: 'Backoff', score: 0.8123 }],
      positions: [{ expert: 'expert:net', verdict: 'reject', reason: 'It is known' }],
      ...{ asked: { 'learned-statement': question }, outcome: 'A person is asked.' },
    },
    {
      ...{ entry: 'f', hash: 'h', title: 'Locks expire', body: 'They do.', state: 'added', claims: [], reasons: [] },
      ...{ folder: 'techniques', tags: [], became: 'knowledge/techniques/locks.md' },
    },
  ],
});

test('what a cycle taught is a page with what proves each statement, what experts said, and what became of it', () => {
  const { text, links } = learnedDocument(learned);
  const lines = text.split('\n');
  for (const line of [
    '## Retries need a limit: waits for you',
    '> # Not a heading',
    '- Proven: The test fails without it',
    '- Place: tools, tags net',
    '- Near: Backoff (knowledge/tools/backoff.md), likeness 0.81 of 1',
    '- expert:net rejects it: It is known',
    '- Open the question · Compare with nearest entry',
    '## Locks expire: added as an entry',
    '- Entry: knowledge/techniques/locks.md',
  ])
    expect(lines).toContain(line);
  expect(links.map(({ line, start, end, to }) => [lines[line]?.slice(start, end), to])).toEqual([
    ['Backoff', { file: 'knowledge/tools/backoff.md' }],
    ['Open the question', { command: 'ravel.openApproval', arguments: [question] }],
    ['Compare with nearest entry', { command: 'ravel.compareWithNearest', arguments: [question] }],
    ['knowledge/techniques/locks.md', { file: 'knowledge/techniques/locks.md' }],
  ]);
});

test('cycles are chosen by plan, with what became of each statement', () => {
  expect(learnedChoices([learned, { ...learned, candidates: [] }]).map(({ label, detail }) => [label, detail])).toEqual(
    [
      ['shop/project-root', 'Retries need a limit: waits for you; Locks expire: added as an entry'],
      ['shop/project-root', 'Nothing was proven'],
    ],
  );
});

test('only what no entry says can be offered again', () => {
  const [first, ...others] = learned.candidates;
  if (first === undefined) throw new Error('There is a candidate.');
  const offers = (state: (typeof first)['state']) =>
    learnedDocument({ ...learned, candidates: [{ ...first, state }, ...others] }).links.filter(
      ({ to }) => 'command' in to && to.command === 'ravel.replayLearned',
    ).length;
  expect([offers('rejected'), offers('refused'), offers('known'), offers('confirmed')]).toEqual([1, 1, 1, 0]);
});
