import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asRuleFile, fromRuleFile, toRuleFile } from '../../../src/ui/routing/ruleForm.ts';

const rule = { id: 'a', any: ['x', 'y'], target: 'shop' };

test.each([
  ['id: a\nany:\n  - x\n  - y\ntarget: shop\n'],
  ['# say why\n\nid: a\nany: [x, y]\ntarget: shop'],
  ['  - id: a\n    any: [x, y]\n    target: shop\n'],
])('asRuleFile turns %j into a file with that rule', (text) =>
  expect(parse(asRuleFile(text))).toEqual({ rules: [rule] }),
);

test.each(['id: a\ntarget: shop', '- id: a\n  target: shop'])(
  'a place in %j is found in the rule file and back again',
  (text) => {
    const file = asRuleFile(text).split('\n');
    const place = { line: 1, character: text.split('\n')[1]?.indexOf('shop') ?? 0 };
    const there = toRuleFile(text, place);
    expect(file[there.line]?.slice(there.character)).toBe('shop');
    expect(fromRuleFile(text, { start: there, end: there })).toEqual({ start: place, end: place });
  },
);

test('a problem outside the rule is shown at its beginning', () => {
  const at = { line: 0, character: 3 };
  expect(fromRuleFile('id: a', { start: at, end: at }).start).toEqual({ line: 0, character: 0 });
});
