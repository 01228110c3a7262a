import { expect, test } from 'vitest';
import { descriptionError, planScaffold } from '../../src/vault/planScaffold.ts';
import { readPlanState } from '../../src/vault/planStore.ts';

const place = { file: '/plan-state.md', subject: 'Demo/project-root' };

test.each(['Plain words', 'yes', '42', 'A: b # c', '"quoted" - it\'s', '- list', '{x}', 'é ü 漢字 🙂', '---'])(
  'the description %j is read back as it was given',
  (description) => {
    const text = planScaffold('demo', ` ${description} `).get('plan-state.md') ?? '';
    expect(readPlanState(text, place)).toMatchObject({ value: { description, tags: ['ravel-plan'] }, diagnostics: [] });
  },
);

test('planScaffold lists the marker plan-state.md last', () => {
  expect([...planScaffold('demo', 'd').keys()].at(-1)).toBe('plan-state.md');
});

test('descriptionError names the plan of a bad description', () => {
  expect(descriptionError('Demo', 'x')).toBeUndefined();
  expect(descriptionError('Demo', '')?.diagnostic).toMatchObject({ code: 'plan/badDescription', subject: 'Demo' });
});
