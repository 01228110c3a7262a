import { describe, expect, test } from 'vitest';
import type { PlanProposal } from '../../../src/model/planProposal.ts';
import { editProposal, inOrder } from '../../../webview/question/proposalEdit.ts';

const proposal: PlanProposal = {
  description: 'Search the catalogue',
  plans: [
    {
      slug: '.',
      tasks: [
        { title: 'Index it', category: 'feature' },
        { title: 'Query it', dependencies: ['Index it'] },
        { title: 'Rank it', dependencies: ['Index it', 'Query it'] },
      ],
    },
    {
      slug: 'page',
      description: 'Shows what was found',
      tasks: [{ title: 'List it' }],
      memory: [{ title: 'CSS', body: 'Plain.' }],
    },
  ],
};
const titlesOf = ({ plans }: PlanProposal) => plans.map(({ tasks = [] }) => tasks.map(({ title }) => title));
const dependenciesOf = ({ plans }: PlanProposal) => plans[0]?.tasks?.map(({ dependencies }) => dependencies);

test('tasks stand in the order that a proposal gives them, and without one in that of its list', () => {
  const tasks = [{ title: 'c', order: 3 }, { title: 'b' }, { title: 'a', order: 1 }];
  const [plan] = inOrder({ description: '', plans: [{ slug: '.', tasks }] }).plans;
  expect(plan?.tasks).toEqual([{ title: 'a' }, { title: 'b' }, { title: 'c' }]);
});

describe('a task', () => {
  test('that gets another title keeps the tasks that depend on it', () => {
    const edited = editProposal(proposal, { kind: 'task', plan: 0, task: 0, change: { title: 'Build the index' } });
    expect(titlesOf(edited)[0]).toEqual(['Build the index', 'Query it', 'Rank it']);
    expect(dependenciesOf(edited)).toEqual([undefined, ['Build the index'], ['Build the index', 'Query it']]);
  });

  test('that is removed leaves the dependencies of the others', () => {
    const edited = editProposal(proposal, { kind: 'removeTask', plan: 0, task: 0 });
    expect(titlesOf(edited)[0]).toEqual(['Query it', 'Rank it']);
    expect(dependenciesOf(edited)).toEqual([[], ['Query it']]);
  });

  test('moves within its plan, and not past its ends', () => {
    expect(titlesOf(editProposal(proposal, { kind: 'moveTask', plan: 0, task: 0, by: 1 }))[0]?.[0]).toBe('Query it');
    expect(editProposal(proposal, { kind: 'moveTask', plan: 0, task: 0, by: -1 })).toEqual(proposal);
    expect(editProposal(proposal, { kind: 'moveTask', plan: 0, task: 2, by: 1 })).toEqual(proposal);
  });

  test('goes to the end of another plan and leaves its dependencies behind, on either side', () => {
    const edited = editProposal(proposal, { kind: 'giveTask', plan: 0, task: 1, to: 1 });
    expect(titlesOf(edited)).toEqual([
      ['Index it', 'Rank it'],
      ['List it', 'Query it'],
    ]);
    expect(edited.plans[1]?.tasks?.[1]?.dependencies).toEqual([]);
    expect(dependenciesOf(edited)).toEqual([undefined, ['Index it']]);
  });
});

test('plans are added, named, described and removed, and an entry of memory is removed', () => {
  const added = editProposal(proposal, { kind: 'addPlan' });
  const named = editProposal(added, { kind: 'plan', plan: 2, change: { slug: 'docs', description: 'Explains it' } });
  const filled = editProposal(named, { kind: 'addTask', plan: 2 });
  expect(filled.plans[2]).toEqual({ slug: 'docs', description: 'Explains it', tasks: [{ title: '' }] });
  const removed = editProposal(filled, { kind: 'removePlan', plan: 0 });
  expect(removed.plans.map(({ slug }) => slug)).toEqual(['page', 'docs']);
  expect(editProposal(removed, { kind: 'removeMemory', plan: 0, memory: 0 }).plans[0]?.memory).toEqual([]);
});

test('a suggestion is changed or removed, and the other one stays', () => {
  const suggesting = { ...proposal, suggestions: { expert: 'A linguist', rule: 'Words go to search.' } };
  const changed = editProposal(suggesting, { kind: 'suggestion', suggestion: 'expert', text: 'A librarian' });
  expect(changed.suggestions).toEqual({ expert: 'A librarian', rule: 'Words go to search.' });
  const removed = editProposal(changed, { kind: 'suggestion', suggestion: 'rule' });
  expect(removed.suggestions).toEqual({ expert: 'A librarian' });
});

test('an edit of what is not there changes nothing', () => {
  expect(editProposal(proposal, { kind: 'removeTask', plan: 7, task: 0 })).toBe(proposal);
  expect(editProposal(proposal, { kind: 'giveTask', plan: 0, task: 9, to: 1 })).toEqual(proposal);
  expect(editProposal(proposal, { kind: 'giveTask', plan: 0, task: 0, to: 0 })).toEqual(proposal);
});
