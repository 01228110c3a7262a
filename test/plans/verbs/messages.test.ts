import { describe, expect, test } from 'vitest';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { after, makeContext, refused } from './context.ts';

const words = { reason: 'because', body: 'Please.' };
const id = '01JDZZZZZZZZZZZZZZZZZZZZZZ';

test('a first message makes the file, a second is appended', () => {
  const entry = { id, 'target-expert': 'rust', reason: 'because', body: 'Please.\n' };
  const args = { 'target-expert': 'rust', ...words };
  expect(after('dispatches.yaml', 'message/dispatch', args)).toEqual({ dispatches: [entry] });
  expect(after('queries.yaml', 'message/ask', args)).toEqual({ queries: [entry] });
  const text = '# mine\ndispatches:\n- target-plan: Demo/project-root/x\n  reason: r\n  body: b\n';
  const context = makeContext({ texts: new Map([['dispatches.yaml', text]]) });
  expect(applyVerb('message/dispatch', args, context).edits.get('dispatches.yaml')?.startsWith(text)).toBe(true);
  expect(after('dispatches.yaml', 'message/dispatch', args, context)).toHaveProperty('dispatches.1', entry);
});

describe('exactly one target', () => {
  test.each<Record<string, string>>([
    { 'target-plan': 'Demo/project-root/child' },
    { 'target-project': 'Other' },
    { 'target-project': 'Other', 'suggested-target-plan': 'Other/project-root/x' },
    { 'target-expert': 'rust' },
    { target: 'auto' },
  ])('%j', (target) => {
    expect(applyVerb('message/dispatch', { ...target, ...words }, makeContext()).result).toEqual({ id });
  });

  test.each<Record<string, string>>([
    {},
    { target: 'auto', 'target-expert': 'rust' },
    { 'target-plan': 'Demo/project-root/child', 'target-project': 'Other' },
    { 'target-plan': 'Demo/project-root' },
    { 'target-plan': 'Other/project-root' },
    { 'target-plan': 'Demo' },
    { 'target-plan': 'expert:rust' },
    { 'target-project': 'Demo' },
    { 'target-project': 'Other/project-root' },
    { 'target-project': 'Other', 'suggested-target-plan': 'Third/project-root' },
    { 'target-project': 'Other', 'suggested-target-plan': 'Other' },
    { 'target-expert': 'rust', 'suggested-target-plan': 'Other/project-root' },
    { 'target-expert': 'Not An Id' },
    { target: 'elsewhere' },
  ])('not %j', (target) => {
    expect(refused('message/dispatch', { ...target, ...words }).code).toBe('state/badArguments');
    expect(refused('message/ask', { ...target, ...words }).code).toBe('state/badArguments');
  });
});
