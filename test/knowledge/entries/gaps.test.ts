import { expect, test } from 'vitest';
import { findGaps } from '../../../src/knowledge/entries/gaps.ts';
import { entryHead } from '../../support/entries.ts';

test('gaps are languages with few entries, what is not proven, open questions, and tags that are used once', () => {
  const proven = { confidence: 'medium' };
  const heads = [
    entryHead('languages/rust/a.md', { title: 'A', ...proven, tags: ['x'] }),
    entryHead('languages/rust-b.md', { title: 'B', ...proven, tags: ['x', 'once'] }),
    entryHead('languages/go/c.md', { title: 'C', ...proven }),
    entryHead('languages/go/d.md', { title: 'D', ...proven }),
    entryHead('languages/go/e.md', { title: 'E', ...proven }),
    entryHead('tools/f.md', { title: 'F', confidence: 'prospective' }),
    entryHead('tools/g.md', { title: 'G', confidence: 'low' }, { project: 'Shop' }),
    entryHead('tools/h.md', { title: 'H', confidence: 'low' }, { isArchived: true }),
    entryHead('tools/i.md', { title: 'I', confidence: 'low', 'superseded-by': ['[[F]]'] }),
  ];
  const questions = [{ expert: 'expert:rust', question: 'What is a pin?' }];
  expect(
    findGaps(heads, questions).map(({ kind, text, entries }) => `${kind}: ${text} ${entries.join(' ')}`.trim()),
  ).toEqual([
    'language: The language "rust" has only 2 entries. knowledge/languages/rust/a.md knowledge/languages/rust-b.md',
    'unproven: "F" is an idea that was never tried. knowledge/tools/f.md',
    'unproven: "G" is hardly proven. Shop/knowledge/tools/g.md',
    'question: expert:rust could not answer: What is a pin?',
    'tag: The tag "once" is used once. knowledge/languages/rust-b.md',
  ]);
  expect(findGaps([])).toEqual([]);
});
