import { expect, test } from 'vitest';
import {
  formatTarget,
  type NamedTarget,
  onlyTarget,
  parseTarget,
  type TargetFields,
  targetOfWord,
  targetText,
} from '../../src/model/namedTarget.ts';

const parser = 'Demo/project-root/parser';

test.each<[TargetFields, NamedTarget, string]>([
  [{ 'target-plan': parser }, { kind: 'plan', name: parser }, parser],
  [{ 'target-project': 'Bank' }, { kind: 'project', name: 'Bank' }, 'Bank'],
  [
    { 'target-project': 'Bank', 'suggested-target-plan': 'Bank/project-root' },
    { kind: 'project', name: 'Bank', suggested: 'Bank/project-root' },
    'Bank',
  ],
  [{ 'target-expert': 'cats' }, { kind: 'expert', name: 'cats' }, 'cats'],
  [{ target: 'auto' }, { kind: 'auto' }, 'auto'],
])('the fields %j are a target, which is written as before', (fields, target, text) => {
  const entry = { id: 'x', ...fields, reason: 'r', body: 'b' };
  expect(parseTarget(entry)).toEqual(target);
  expect(formatTarget(target)).toEqual(fields);
  expect(targetText(target)).toBe(text);
});

test.each<[TargetFields, string]>([
  [{}, 'no target'],
  [{ 'target-project': 'Other', 'target-expert': 'cats' }, 'Other and cats'],
  [{ 'target-plan': parser, target: 'auto' }, `${parser} and auto`],
  [{ 'suggested-target-plan': parser }, 'no target'],
  [{ target: 'auto', 'suggested-target-plan': parser }, 'auto'],
])('the fields %j are not one target, and are kept', (fields, text) => {
  const target = parseTarget({ ...fields, reason: 'r' } as TargetFields);
  expect(target).toEqual({ kind: 'unclear', fields });
  expect(formatTarget(target)).toEqual(fields);
  expect(targetText(target)).toBe(text);
});

test('onlyTarget extracts only the target fields of an entry', () => {
  const named = { 'target-project': 'Other', 'suggested-target-plan': 'Other/project-root' };
  expect(onlyTarget({ ...named, id: 'x', reason: 'r', body: 'b' } as object)).toEqual(named);
  expect(onlyTarget({ target: 'auto' })).toEqual({ target: 'auto' });
});

test.each<[string, NamedTarget]>([
  ['auto', { kind: 'auto' }],
  ['expert:cats', { kind: 'expert', name: 'expert:cats' }],
  [parser, { kind: 'plan', name: parser }],
  ['Demo', { kind: 'plan', name: 'Demo/project-root' }],
  ['project:Demo', { kind: 'project', name: 'Demo' }],
])('targetOfWord understands the single word %s', (word, target) => expect(targetOfWord(word)).toEqual(target));
