import { describe, expect, test } from 'vitest';
import { type Citation, checkCitations } from '../../src/experts/checkCitations.ts';
import type { RetrievedEntry } from '../../src/experts/retrieveEntries.ts';

const text = 'A future needs to be pinned\n  once it is polled. See `Pin`.\u202e';
const given: readonly RetrievedEntry[] = [
  { id: 'pin-1', title: 'Pinning', path: 'knowledge/rust/pinning.md', hash: 'aa', text, bytes: 60 },
  { id: 'knowledge/rust/other.md', title: 'Other', path: 'knowledge/rust/other.md', hash: 'bb', text: 'No.', bytes: 3 },
];

const check = (...citations: Citation[]) => checkCitations(citations, given);

describe('a citation holds', () => {
  test.each<[string, Citation]>([
    ['by the id of its entry', { entry: 'pin-1', passage: 'A future needs to be pinned once it is polled.' }],
    ['by its path', { entry: 'knowledge/rust/pinning.md', passage: 'needs to be pinned' }],
    ['by its title, as a link', { entry: '[[Pinning]]', passage: 'needs to be pinned' }],
    ['whatever its white space', { entry: 'pin-1', passage: ' needs\tto be\n\npinned  once ' }],
    ['with what a prompt spells out', { entry: 'pin-1', passage: 'See `Pin`.\\u{202e}' }],
  ])('%s', (_name, citation) => {
    expect(check(citation)).toMatchObject({ kind: 'supported', passages: [{ entry: 'pin-1', hash: 'aa' }] });
  });
});

describe('an answer is not supported', () => {
  test.each<[string, Citation[], string]>([
    ['without a citation', [], 'cites nothing'],
    ['by an entry that was not given', [{ entry: 'pin-2', passage: 'needs to be pinned' }], 'pin-1'],
    ['by words that stand nowhere', [{ entry: 'pin-1', passage: 'needs not to be pinned' }], 'do not stand in pin-1'],
    [
      'by words of another entry',
      [{ entry: 'knowledge/rust/other.md', passage: 'needs to be pinned' }],
      'do not stand',
    ],
    ['by a few letters', [{ entry: 'pin-1', passage: 'A future' }], 'too short'],
    [
      'if one of several is wrong',
      [
        { entry: 'pin-1', passage: 'needs to be pinned' },
        { entry: 'pin-1', passage: 'needs no pin at all' },
      ],
      'do not stand',
    ],
  ])('%s', (_name, citations, reason) => {
    expect(check(...citations)).toMatchObject({ kind: 'unsupported', reason: expect.stringContaining(reason) });
  });
});
