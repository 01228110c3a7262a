import { expect, test } from 'vitest';
import { formatEntryLink, isEntryLink, targetOfLink } from '../../src/model/entryLink.ts';

test.each<[string, string]>([
  ['[[Retries]]', 'Retries'],
  [' [[ Retries ]] ', 'Retries'],
  ['[[Retries|the old ones]]', 'Retries'],
  ['[[retries\\|the old ones]]', 'retries'],
  ['[[Retries#Why they end]]', 'Retries'],
  ['[[Retries#^block|label]]', 'Retries'],
  ['[[techniques/retries.md]]', 'techniques/retries'],
  ['techniques/retries.md', 'techniques/retries'],
  ['Wiederholungen – größer als 日本', 'Wiederholungen – größer als 日本'],
  ['[[]]', ''],
  ['[[a]] and [[b]]', ''],
  ['[[a', ''],
  ['', ''],
])('the link %j names %j', (link, target) => {
  expect(targetOfLink(link)).toBe(target);
  expect(isEntryLink(link)).toBe(target !== '');
});

test('a link is written so that it names the same again, or not at all', () => {
  expect(formatEntryLink('Retries')).toBe('[[Retries]]');
  expect(formatEntryLink('C# tricks')).toBeUndefined();
  expect(formatEntryLink('a [b] c')).toBeUndefined();
  expect(formatEntryLink('x'.repeat(600))).toBeUndefined();
});
