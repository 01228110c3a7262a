import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../src/model/id.ts';
import { blockLink, planLink, wikilink } from '../../src/vault/wikilink.ts';

describe('wikilink', () => {
  test.each([
    ['a/b', 'label', '[[a/b|label]]'],
    ['a[b', 'label', 'label'],
    ['a#b', 'label', 'label'],
    ['a', 'x | y', 'x &vert; y'],
    ['a', 'x ]] y', 'x \\]\\] y'],
  ])('to %j labelled %j is %j', (target, label, expected) => {
    expect(wikilink(target, label)).toBe(expected);
  });
});

test('blockLink links a block only if its id is a valid block id', () => {
  expect(blockLink('add-export-2', 'Add export')).toBe('[[#^add-export-2|Add export]]');
  expect(blockLink('a_b', 'A')).toBe('A');
  expect(blockLink('', 'A')).toBe('A');
});

test('planLink links the marker of the plan', () => {
  expect(planLink(toQualifiedId('Demo/project-root'))).toBe(
    '[[projects/Demo/project-root/plan-state|Demo/project-root]]',
  );
});
