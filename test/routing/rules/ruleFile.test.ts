import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { SuggestedRule } from '../../../src/model/routing.ts';
import { formatRule, freeId, type NewRule, putRule, ruleFields } from '../../../src/routing/rules/ruleFile.ts';
import { parseRules } from '../../../src/vault/loadRules.ts';
import { failureOf } from '../../support/failureOf.ts';
import { workOf } from '../../support/workOf.ts';

const file = '/vault/routing.yaml';
const refunds: SuggestedRule = {
  id: 'refunds',
  any: ['refund'],
  target: 'Shop/project-root/payments',
  note: 'Money back',
};
const origin = { by: 'ada', at: '2026-11-22T10:00:00Z', suggestion: '01M7X4TZFWPVQT6PFG4SYTM4BP' };

function put(text: string, rule = refunds, more: Partial<NewRule> = {}) {
  return putRule(text, { rule, origin, ...more }, file);
}

const commented = `# Who gets what
rules:
  # Money first
  - id: invoices   # by post, too
    any: [invoice, 'reminder']
    target: Shop/project-root/payments
    # until spring
    owner: Grace

  # Everything else about the shop
  - id: shop
    target: Shop
# The end
`;

describe('putting a rule into routing.yaml', () => {
  test('adds it after the others of its target and changes nothing else', () => {
    const { text, index, id } = put(commented);
    expect({ index, id }).toEqual({ index: 1, id: 'refunds' });
    const lines = text.split('\n');
    const [start, length] = [lines.indexOf('  - id: refunds'), 9];
    expect(lines.slice(start, start + length).join('\n')).toBe(
      [
        ...[
          '  - id: refunds',
          '    any:',
          '      - refund',
          '    target: Shop/project-root/payments',
          '    note: Money back',
        ],
        ...['    origin:', '      by: ada', '      at: 2026-11-22T10:00:00Z', `      suggestion: ${origin.suggestion}`],
      ].join('\n'),
    );
    expect(lines.toSpliced(start, length).join('\n')).toBe(commented);
    expect(lines[start - 1]).toBe('    owner: Grace');
  });

  test('adds it at the end when no rule has its target', () => {
    const { index, text } = put(commented, { ...refunds, target: 'Blog' });
    expect(index).toBe(2);
    expect(text.indexOf('id: refunds')).toBeGreaterThan(text.indexOf('id: shop'));
  });

  test.each([
    '',
    'rules: []\n',
    'rules:\n',
    '# Nothing yet\nrules: []\n',
    '{}\n',
    'rules: [{id: a, target: x}]',
    '\ufeffrules:\r\n- id: a\r\n  target: x\r\n',
  ])('works in %j', (text) => {
    const made = put(text);
    expect(parseRules(made.text, file).rules?.[made.index]).toMatchObject({ ...refunds, origin });
    expect(made.text.split('\n').filter((line) => line.startsWith('#'))).toEqual(
      text.split('\n').filter((line) => line.startsWith('#')),
    );
  });

  test('skips a suggestion that is already there, whatever a person changed since', () => {
    const first = put(commented);
    const edited = first.text.replace('- refund', '- refunds').replace('id: refunds', 'id: money-back');
    expect(put(edited)).toEqual({ text: edited, id: 'money-back', index: 1 });
  });

  test('numbers an id that is taken', () => {
    const second = put(put(commented).text, refunds, { origin: { ...origin, suggestion: 'another' } });
    expect(second.id).toBe('refunds-2');
  });

  test('in place of another keeps what a person wrote there', () => {
    const rule = { ...refunds, id: 'invoices', any: ['invoice', 'reminder', 'refund'] };
    const { text, index } = put(commented, rule, { replaces: 'invoices' });
    expect(index).toBe(0);
    expect(parse(text).rules[0]).toEqual({ ...rule, owner: 'Grace', origin });
    for (const comment of [
      '# Who gets what',
      '# Money first',
      '# by post, too',
      '# until spring',
      '# Everything else',
    ]) {
      expect(text).toContain(comment);
    }
    expect(parse(text).rules).toHaveLength(2);
  });

  test('adds a new one when the rule to replace is missing or ambiguous', () => {
    expect(parse(put(commented, refunds, { replaces: 'gone' }).text).rules).toHaveLength(3);
    const twice = 'rules:\n- id: a\n  target: x\n- id: a\n  target: y\n';
    expect(parse(put(twice, refunds, { replaces: 'a' }).text).rules).toHaveLength(3);
  });

  test.each([
    ['rules: [\n', 'yaml'],
    ['rules: 3\n', 'yaml'],
    ['rules: [ # why\n {id: a, target: x}]\n', 'comments'],
    ['rules:\n- id: !!str a\n  target: x\n', 'tags'],
    ['rules:\n- id: a\n', 'target'],
  ])('is refused in %j, with the text to paste', async (text, _why) => {
    const problem = await failureOf(async () => put(text));
    expect(problem).toMatchObject({ code: 'rule/cannotPut', file });
    expect(problem?.help).toContain('- id: refunds\n  any:\n  - refund\n');
  });

  test('takes less than 20 s among 5,000 others', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `- id: r${at}\n  any: [w${at}]\n  target: P${at % 40}\n`);
    let index = -1;
    const work = workOf(() => {
      ({ index } = put(`rules:\n${many.join('')}`, { ...refunds, target: 'P7' }));
    });
    expect(index).toBe(4968);
    expect(work).toBeLessThan(20_000);
  });
});

describe('the free id of a rule', () => {
  test.each([
    ['Refunds, really!', [], 'refunds-really'],
    ['', [], 'refund-payments'],
    ['---', [], 'refund-payments'],
    ['refunds', ['refunds', 'refunds-2'], 'refunds-3'],
    ['x'.repeat(200), [], 'x'.repeat(60)],
    ['Käse', [], 'ka-se'],
  ])('for %j with %j taken is %j', (id, taken, expected) => {
    expect(freeId({ ...refunds, id }, new Set(taken))).toBe(expected);
  });

  test.each([
    ['marketing/project-root', 'landing-marketing'],
    ['shop/project-root/till', 'landing-till'],
    ['expert:rust', 'landing-rust'],
    ['project:shop', 'landing-shop'],
  ])('without a suggested id names the word and what tells %s apart', (target, expected) => {
    expect(freeId({ id: '', any: ['landing'], target }, new Set())).toBe(expected);
  });
});

test('every formatted rule parses back to the same rule', () => {
  const fact = fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() === text && text !== '' && !/[\0\ufeff\ud800-\udfff]/.test(text));
  const rule = fc.record({ any: fc.array(fact, { minLength: 1, maxLength: 4 }), note: fact, target: fact });
  fc.assert(
    fc.property(rule, (given) => {
      const value = { id: 'a', ...given };
      expect(parse(formatRule(ruleFields(value, 'a'), 2))).toEqual([{ ...value }]);
    }),
    { numRuns: 200 },
  );
});

test('the routing.yaml of a new vault takes a rule', () => {
  const source = readFileSync(new URL('../../../src/vault/bootstrap.ts', import.meta.url), 'utf8');
  const header = /const routingHeader = `([^`]*)`/.exec(source)?.[1] ?? '';
  expect(put(header).text).toMatch(/^# Rules[^\n]*\nrules:\n- id: refunds\n/);
});
