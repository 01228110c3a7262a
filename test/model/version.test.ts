import { expect, test } from 'vitest';
import { isOlder, versionIn } from '../../src/model/version.ts';

test.each([
  ['2.1.329 (Claude Code)', '2.1.329'],
  ['claude v10.0', '10.0'],
  ['no number of that kind: 7', undefined],
])('versionIn(%j) is %s', (text, version) => expect(versionIn(text)).toBe(version));

test.each([
  ['2.0.99', '2.1.0', true],
  ['2.1', '2.1.0', false],
  ['2.1.0', '2.1', false],
  ['10.0.0', '9.9.9', false],
  ['1.99', '2', true],
])('version %s is older than %s: %s', (version, than, older) => expect(isOlder(version, than)).toBe(older));
