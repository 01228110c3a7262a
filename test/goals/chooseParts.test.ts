import { expect, test } from 'vitest';
import { chooseParts } from '../../src/goals/chooseParts.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import type { PlanProposal } from '../../src/model/planProposal.ts';

const under = 'shop/project-root' as QualifiedId;
const proposal: PlanProposal = {
  description: 'Search',
  plans: [
    { slug: 'search', description: 'Finds things', tasks: [{ title: 'Index' }] },
    { slug: 'other', description: 'Does the rest', tasks: [{ title: 'Search' }, { title: 'Foo' }] },
  ],
};
const chosen = (...only: string[]) => {
  const { proposal: part, unknown } = chooseParts(under, proposal, only);
  return { plans: part.plans.map(({ slug, tasks = [] }) => [slug, ...tasks.map(({ title }) => title)]), unknown };
};

test('a name of a plan means the plan, also if a task of another one is called the same', () => {
  expect(chosen('search')).toEqual({ plans: [['search', 'Index']], unknown: [] });
  expect(chosen('other/Search')).toEqual({ plans: [['other', 'Search']], unknown: [] });
  expect(chosen('Foo', 'bar')).toEqual({ plans: [['other', 'Foo']], unknown: ['bar'] });
});
