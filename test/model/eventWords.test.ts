import { describe, expect, test } from 'vitest';
import { describeCall, formatUsage } from '../../src/model/eventWords.ts';
import { sampleUsage } from '../cli/samples.ts';

describe('usage', () => {
  const check = (changes: object, expected: string) =>
    expect(formatUsage({ ...sampleUsage, ...changes })).toBe(expected);
  test('reported', () => check({}, '2,100 tokens in, 160 out, $0.01'));
  test('estimated', () => check({ costBasis: 'estimated' }, '2,100 tokens in, 160 out, about $0.01'));
  test('unknown', () =>
    expect(formatUsage({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 })).toBe(
      '1 tokens in, 2 out',
    ));
});

describe('calls', () => {
  const check = (input: unknown, expected: string) => expect(describeCall('Tool', input, '/code/demo')).toBe(expected);
  test('a file', () => check({ file_path: '/a' }, 'Tool /a'));
  test('a file of the project', () => check({ file_path: '/code/demo/src/a.js' }, 'Tool src/a.js'));
  test('a file beside the project', () => check({ path: '/code/demonstration/a.js' }, 'Tool /code/demonstration/a.js'));
  test('the project', () => check({ path: '/code/demo' }, 'Tool /code/demo'));
  test('a command of several lines', () => check({ command: 'a\nb' }, 'Tool a …'));
  test('nothing that can be named', () => check({ deep: { path: '/a' } }, 'Tool'));
  test('no object', () => check(null, 'Tool'));
});
