import { expect, test } from 'vitest';
import { namedBy, parseTarget, targetText } from '../../src/model/namedTarget.ts';

const parser = 'Demo/project-root/parser';

test('targetText names the target a sender gave, or says that there was none', () => {
  const text = (target: object) => targetText(target);
  expect(text({ 'target-plan': parser })).toBe(parser);
  expect(text({ target: 'auto' })).toBe('auto');
  expect(text({ 'target-project': 'Other', 'target-expert': 'cats' })).toBe('Other and cats');
  expect(text({})).toBe('nobody');
  expect(text({ 'target-project': 'Bank', 'suggested-target-plan': 'Bank/project-root' })).toBe('Bank');
});

test('namedBy extracts only the target fields of an entry', () => {
  const named = { 'target-project': 'Other', 'suggested-target-plan': 'Other/project-root' };
  expect(namedBy({ ...named, id: 'x', reason: 'r', body: 'b' } as object)).toEqual(named);
  expect(namedBy({ target: 'auto' })).toEqual({ target: 'auto' });
});

test.each([
  ['auto', { target: 'auto' }],
  ['expert:cats', { 'target-expert': 'expert:cats' }],
  [parser, { 'target-plan': parser }],
  ['Demo', { 'target-plan': 'Demo/project-root' }],
  ['project:Demo', { 'target-project': 'Demo' }],
])('parseTarget understands the single word %s', (text, named) => expect(parseTarget(text)).toEqual(named));
