import { expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
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
    ['Let Ravel decide', { target: 'auto' }],
    [shop, { 'target-plan': shop }],
    ['bank', { 'target-project': 'bank' }],
    ['expert:rust', { 'target-expert': 'rust' }],
    [bank, { 'target-project': 'bank' }],
    [loans, { 'target-project': 'bank', 'suggested-target-plan': loans }],
  ]);
});

test('a person can name any plan directly', () => {
  expect(targetOf(loans, undefined)).toEqual({ 'target-plan': loans });
  expect(
    targetChoices({ outline, experts }, undefined).filter(({ description }) => description === 'plan'),
  ).toHaveLength(4);
});

test.each([
  [{ 'target-plan': till }, till],
  [{ 'target-project': 'bank' }, 'project bank'],
  [{ 'target-project': 'bank', 'suggested-target-plan': loans }, loans],
  [{ 'target-expert': 'rust' }, 'expert rust'],
  [{ target: 'auto' as const }, 'the right plan'],
])('the target %j reads "%s"', (target, words) => expect(targetWords(target)).toBe(words));
