import { describe, expect, test } from 'vitest';
import { describeCall, formatUsage } from '../../src/model/eventWords.ts';
import { sampleUsage } from '../cli/samples.ts';

describe('formatUsage', () => {
  const check = (changes: object, expected: string) =>
    expect(formatUsage({ ...sampleUsage, ...changes })).toBe(expected);
  test('shows a reported cost as it is', () => check({}, '2,100 tokens in, 160 out, $0.01'));
  test('marks an estimated cost with "about"', () =>
    check({ costBasis: 'estimated' }, '2,100 tokens in, 160 out, about $0.01'));
  test('leaves out an unknown cost', () =>
    expect(formatUsage({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 })).toBe(
      '1 tokens in, 2 out',
    ));
});

describe('describeCall', () => {
  const check = (input: unknown, expected: string) => expect(describeCall('Tool', input, '/code/demo')).toBe(expected);
  test('names the file', () => check({ file_path: '/a' }, 'Tool /a'));
  test('shortens a path inside the project', () => check({ file_path: '/code/demo/src/a.js' }, 'Tool src/a.js'));
  test('keeps the full path of a file in a neighbouring folder', () =>
    check({ path: '/code/demonstration/a.js' }, 'Tool /code/demonstration/a.js'));
  test('shows the full path of the project itself', () => check({ path: '/code/demo' }, 'Tool /code/demo'));
  test('shows the first line of a command with several lines', () => check({ command: 'a\nb' }, 'Tool a …'));
  test('shows only the tool if no argument can be named', () => check({ deep: { path: '/a' } }, 'Tool'));
  test('shows only the tool if the input is not an object', () => check(null, 'Tool'));
});
