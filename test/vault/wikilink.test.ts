import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../src/model/id.ts';
import { blockLink, planLink, wikilink } from '../../src/vault/wikilink.ts';

describe('wikilink', () => {
  test.each([
    ['a/b', 'label', '[[a/b|label]]'],
    ['a[b', 'label', 'label'],
    ['a#b', 'label', 'label'],
    ['a', 'x | y', 'x | y'],
    ['a', 'x ]] y', 'x ]] y'],
  ])('%s as %s', (target, label, expected) => {
    expect(wikilink(target, label)).toBe(expected);
  });
});

test('a block is linked where its id can name one', () => {
  expect(blockLink('add-export-2', 'Add export')).toBe('[[#^add-export-2|Add export]]');
  expect(blockLink('a_b', 'A')).toBe('A');
  expect(blockLink('', 'A')).toBe('A');
});

test('a plan is linked by its note', () => {
  expect(planLink(toQualifiedId('Demo/project-root'))).toBe(
    '[[projects/Demo/project-root/plan-state|Demo/project-root]]',
  );
});
