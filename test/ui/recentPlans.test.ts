import { expect, test } from 'vitest';
import type { QualifiedId } from '../../src/model/id.ts';
import { RecentPlans } from '../../src/ui/recentPlans.ts';

const check = (used: readonly string[], plans: readonly string[], expected: readonly string[]) => {
  const recent = new RecentPlans();
  for (const plan of used) recent.record(plan as QualifiedId);
  expect(recent.sort(plans, (plan) => plan as QualifiedId)).toEqual(expected);
};

test('without a plan that was used the order stays', () => check([], ['b', 'a', 'c'], ['b', 'a', 'c']));
test('the plan that was used last comes first', () => check(['b', 'c'], ['a', 'b', 'c', 'd'], ['c', 'b', 'a', 'd']));
test('a plan that is used again comes first again', () => check(['b', 'c', 'b'], ['a', 'b', 'c'], ['b', 'c', 'a']));
test('nothing remains of another vault', () => check(['x', 'y'], ['a', 'b'], ['a', 'b']));
test('twenty are remembered', () => {
  const plans = Array.from({ length: 21 }, (_, n) => `p${n}`);
  check(plans, ['first', 'p0', 'p1'], ['p1', 'first', 'p0']);
});
