import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeIssue, foundAt } from '../../src/model/issueText.ts';

test.each<[string, z.ZodType, unknown, string]>([
  ['a word that is not in a list', z.enum(['a', 'b', 'c']), 'x', '"x" is not allowed; it has to be "a", "b" or "c"'],
  ['a number that has to be one', z.literal(1), 2, '2 is not allowed; it has to be 1'],
  ['a missing word of a list', z.enum(['a', 'b']), undefined, 'it is missing; it has to be "a" or "b"'],
  ['a text for a number', z.number(), 'ten', '"ten" is not allowed; it has to be a number'],
  ['a broken number', z.int(), 1.5, '1.5 is not allowed; it has to be a whole number'],
  ['a number for a text', z.string(), 7, '7 is not allowed; it has to be a text'],
  ['a word for a switch', z.boolean(), 'yes', '"yes" is not allowed; it has to be true or false'],
  ['a text for a list', z.array(z.string()), 'a', '"a" is not allowed; it has to be a list'],
  ['a list for a table', z.object({}), [], '[] is not allowed; it has to be a mapping of keys to values'],
  ['a missing text', z.string(), undefined, 'it is missing; it has to be a text'],
  ['a number that is not above', z.number().positive(), 0, '0 is not allowed; it has to be above 0'],
  ['a number that is too small', z.number().min(0.5), 0.1, '0.1 is not allowed; it has to be at least 0.5'],
  ['a number that is too large', z.number().max(9), 10, '10 is not allowed; it has to be at most 9'],
  ['an empty text', z.string().min(1), '', '"" is not allowed; it has to be a text that is not empty'],
  ['an empty list', z.array(z.string()).min(1), [], '[] is not allowed; it has to be a list of at least 1'],
  ['an unknown key', z.strictObject({}), { a: 1 }, 'the key "a" is not known'],
  ['unknown keys', z.strictObject({}), { a: 1, b: 2 }, 'the keys "a", "b" are not known'],
  ['words of the schema itself', z.string().refine(() => false, 'expected a path'), 'x', 'expected a path'],
])('%s is told in plain words', (_title, schema, value, expected) => {
  const { error } = z.object({ key: schema.optional() }).safeParse(value === undefined ? {} : { key: value });
  const issue = error?.issues[0] ?? schema.safeParse(value).error?.issues[0];
  expect(issue && describeIssue(issue, { value })).toBe(expected);
});

test('a long value is cut, and one that is not known is left out', () => {
  const [issue] = z.number().safeParse('x'.repeat(200)).error?.issues ?? [];
  expect(issue && describeIssue(issue, { value: 'x'.repeat(200) }).length).toBeLessThan(120);
  expect(issue && describeIssue(issue)).toBe('it has to be a number');
});

test('the value of an issue is found by its path', () => {
  expect(foundAt({ a: [{ b: 3 }] }, ['a', 0, 'b'])).toEqual({ value: 3 });
  expect(foundAt({ a: null }, ['a', 'b'])).toEqual({ value: undefined });
});
