import { expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { Target } from '../../../src/model/namedTarget.ts';
import { targetChoices, targetOf, targetWords } from '../../../src/ui/messages/targetChoices.ts';
import { buildOutline, emptyOutline } from '../../../src/ui/planOutline.ts';

const plans = ['shop/project-root', 'shop/project-root/till', 'bank/project-root', 'bank/project-root/loans'];
const [shop, till, bank, loans] = plans as [QualifiedId, QualifiedId, QualifiedId, QualifiedId];
const outline = buildOutline(
  plans.map((plan) => ({ plan: plan as QualifiedId, description: `About ${plan}` })) as never,
  emptyOutline,
);
const experts = { rows: [{ actor: 'expert:rust', declaration: { description: 'Knows Rust' } }] } as never;

test('target choices list "Let Ravel decide" first, then plans of the own project, projects, experts and other plans', () => {
  const choices = targetChoices({ outline, experts }, till);
  expect(choices.map(({ label, value }) => [label, value])).toEqual([
    ['Let Ravel decide', { kind: 'auto' }],
    [shop, { kind: 'plan', name: shop }],
    ['bank', { kind: 'project', name: 'bank' }],
    ['expert:rust', { kind: 'expert', name: 'rust' }],
    [bank, { kind: 'project', name: 'bank' }],
    [loans, { kind: 'project', name: 'bank', suggested: loans }],
  ]);
});

test('a person can name any plan directly', () => {
  expect(targetOf(loans, undefined)).toEqual({ kind: 'plan', name: loans });
  expect(
    targetChoices({ outline, experts }, undefined).filter(({ description }) => description === 'plan'),
  ).toHaveLength(4);
});

test.each<[Target, string]>([
  [{ kind: 'plan', name: till }, till],
  [{ kind: 'project', name: 'bank' }, 'project bank'],
  [{ kind: 'project', name: 'bank', suggested: loans }, loans],
  [{ kind: 'expert', name: 'rust' }, 'expert rust'],
  [{ kind: 'auto' }, 'the right plan'],
])('the target %j reads "%s"', (target, words) => expect(targetWords(target)).toBe(words));
