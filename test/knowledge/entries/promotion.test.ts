import { expect, test } from 'vitest';
import { countContradicting, scorePromotion } from '../../../src/knowledge/entries/promotion.ts';
import { type Confidence, entryKeysSchema } from '../../../src/model/entry.ts';
import { type EntryHead, parseEntry } from '../../../src/vault/entryFile.ts';
import { EntryIndex } from '../../../src/vault/entryIndex.ts';

interface Case {
  readonly confidence?: Confidence;
  readonly projects: readonly string[];
  readonly contradicts?: number;
}

const fieldsOf = ({ confidence = 'medium', projects }: Case) =>
  entryKeysSchema.parse({
    ...{ title: 'T', confidence },
    origins: projects.map((project) => ({ project, date: '2026-01-02' })),
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
  const promotion = scorePromotion({ fields: fieldsOf(given) }, given.contradicts ?? 0);
  expect(promotion).toMatchObject({ points, isReached });
});

test('the breakdown has a line for each rule, and adds up', () => {
  const { breakdown } = scorePromotion({ fields: fieldsOf({ projects: ['a', 'b', 'a'] }) }, 1);
  expect(breakdown).toEqual([
    '  30  experience',
    '  40  distinct projects: 2',
    '   5  proven again in one of them: 1',
    ' -40  contradicting entries: 1',
    '  35  of 70 that are needed',
  ]);
});

const heads = (texts: Readonly<Record<string, string>>): EntryHead[] =>
  Object.entries(texts).map(([path, fields]) => {
    const isArchived = path.startsWith('archive/');
    const place = { project: '', path, isArchived, file: `/vault/${path}` };
    const parsed = parseEntry(`---\ntitle: ${path}\n${fields}---\nText.\n`, place);
    if (parsed.kind !== 'entry') throw new Error(`${path} is an entry.`);
    return parsed.entry;
  });

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['named by it', { a: 'contradicts: ["[[b]]", "[[c]]"]\n', b: '', c: '' }, 2],
  ['that names it', { a: '', b: 'contradicts: ["[[a]]"]\n' }, 1],
  ['on both sides, once', { a: 'contradicts: ["[[b]]"]\n', b: 'contradicts: ["[[a]]"]\n' }, 1],
  ['in the archive, not', { a: 'contradicts: ["[[archive/b]]"]\n', 'archive/b': 'contradicts: ["[[a]]"]\n' }, 0],
  ['that was deleted, not', { a: 'contradicts: ["[[b]]"]\n' }, 0],
  ['whose place another took, not', { a: 'contradicts: ["[[b]]"]\n', b: 'superseded-by: ["[[c]]"]\n', c: '' }, 0],
  ['that is only related, not', { a: 'related: ["[[b]]"]\n', b: 'related: ["[[a]]"]\n' }, 0],
])('an entry is contradicted by one %s', (_name, texts, expected) => {
  const all = heads(texts);
  const [first] = all;
  if (first === undefined) throw new Error('There is an entry.');
  expect(countContradicting(first, { heads: all, index: new EntryIndex(all) })).toBe(expected);
});
