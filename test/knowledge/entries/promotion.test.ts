import { expect, test } from 'vitest';
import { scorePromotion } from '../../../src/knowledge/entries/promotion.ts';
import { type Confidence, entryKeysSchema } from '../../../src/model/entry.ts';

interface Case {
  readonly confidence?: Confidence;
  readonly projects: readonly string[];
  readonly contradicts?: number;
}

const fieldsOf = ({ confidence = 'medium', projects, contradicts = 0 }: Case) =>
  entryKeysSchema.parse({
    ...{ title: 'T', confidence },
    origins: projects.map((project) => ({ project, date: '2026-01-02' })),
    contradicts: Array.from({ length: contradicts }, (_, at) => `[[Other ${at}]]`),
  });

test.each<[string, Case, number, boolean]>([
  ['one project', { projects: ['a'] }, 50, false],
  ['one project a hundred times', { projects: Array.from({ length: 100 }, () => 'a') }, 60, false],
  ['two projects', { projects: ['a', 'b'] }, 70, true],
  ['two projects, of which one proved it again', { projects: ['a', 'b', 'a'] }, 75, true],
  ['ten projects', { projects: [...'abcdefghij'] }, 90, true],
  ['an idea of two projects', { confidence: 'prospective', projects: ['a', 'b'] }, 40, false],
  ['ten projects and a contradiction', { projects: [...'abcdefghijaaa'], contradicts: 1 }, 60, false],
  ['no project', { projects: [''] }, 30, false],
])('what speaks for promotion: %s', (_name, given, points, isReached) => {
  const promotion = scorePromotion({ fields: fieldsOf(given) });
  expect(promotion).toMatchObject({ points, isReached });
});

test('the breakdown has a line for each rule, and adds up', () => {
  const { breakdown } = scorePromotion({ fields: fieldsOf({ projects: ['a', 'b', 'a'], contradicts: 1 }) });
  expect(breakdown).toEqual([
    '  30  experience',
    '  40  distinct projects: 2',
    '   5  proven again in one of them: 1',
    ' -40  contradicting entries: 1',
    '  35  of 70 that are needed',
  ]);
});
