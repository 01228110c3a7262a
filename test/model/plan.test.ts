import { describe, expect, test } from 'vitest';
import { descriptionProblem } from '../../src/model/plan.ts';
import { planStateSchema } from '../../src/model/planState.ts';

describe('the description of a plan', () => {
  test.each<[string, string | undefined]>([
    ['Keeps the parser correct and fast.', undefined],
    ['x', undefined],
    ['x'.repeat(120), undefined],
    ['x'.repeat(121), 'the description has 121 characters, 1 more than the 120 allowed'],
    ['😀'.repeat(120), undefined],
    [` ${'x'.repeat(120)} `, undefined],
    ['', 'the description is empty'],
    ['  \n', 'the description is empty'],
    ['Tbd', '"Tbd" is a placeholder'],
    ['…', '"…" is a placeholder'],
    ...['\n', '\r', '\u0085', '\u2028'].map((end): [string, string] => [
      `One.${end}Two.`,
      'the description runs over more than one line',
    ]),
    ...['\u0000', '\u001b', '\u009b', '\u202e'].map((hidden): [string, string] => [
      `Keeps${hidden}it.`,
      'the description holds a control character',
    ]),
    ['Keeps\tit.', undefined],
    ['Keeps 👩\u200d🚀 flying.', undefined],
    ['Keeps \ud800 whole.', 'the description holds half of a character'],
  ])('%j has the problem: %s', (text, expected) => expect(descriptionProblem(text)).toBe(expected));
});

describe('the frontmatter of a plan', () => {
  const valid = { 'schema-version': 1, description: 'Keeps the parser correct.' };

  test('keeps unknown keys', () => {
    expect(planStateSchema.parse({ ...valid, colour: 'red' })).toEqual({ ...valid, tags: [], colour: 'red' });
  });

  test.each<[string, object, string]>([
    ['another schema version', { ...valid, 'schema-version': 2 }, 'schema-version'],
    ['a missing description', { 'schema-version': 1 }, 'description'],
    ['a long description', { ...valid, description: 'x'.repeat(121) }, 'description'],
    ['a budget of zero', { ...valid, budget: { 'session-usd': 0 } }, 'budget.session-usd'],
  ])('is refused for %s', (_name, value, path) => {
    const { error } = planStateSchema.safeParse(value);
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  test('explains what is wrong with a description', () => {
    const { error } = planStateSchema.safeParse({ ...valid, description: '' });
    expect(error?.issues[0]?.message).toBe('the description is empty');
  });
});
