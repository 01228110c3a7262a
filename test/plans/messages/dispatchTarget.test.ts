import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import { dispatchTarget, targetText } from '../../../src/plans/messages/dispatchTarget.ts';

const from = toQualifiedId('Demo/project-root');
const parser = toQualifiedId('Demo/project-root/parser');
const foreign = toQualifiedId('Other/project-root');
const plans = [from, parser, foreign];

function check(target: object, expected: object): void {
  const entry = { id: 'M1', reason: 'It is theirs', body: 'Greet.', ...target };
  expect(dispatchTarget(from, entry, plans)).toMatchObject(expected);
}
const refused = (code: string, reason: string) => ({ kind: 'refused', code, reason });

test('a plan of the same project is found', () => {
  check({ 'target-plan': parser }, { kind: 'plan', plan: parser });
});

test('every other target has a refusal of its own', () => {
  check({ 'target-plan': from }, refused('message/toSelf', 'it names its own plan'));
  check({ 'target-plan': foreign }, refused('message/otherProject', 'Other is another project'));
  check({ 'target-plan': 'Gone/project-root' }, refused('message/otherProject', 'Gone is another project'));
  check({ 'target-project': 'Other' }, refused('message/otherProject', 'Other is another project'));
  check({ 'target-project': 'Demo' }, refused('message/unrouted', 'it names its own project Demo and no plan of it'));
  check({ 'target-expert': 'cats' }, refused('expert/notYetImplemented', 'the expert cats takes no messages yet'));
  check({ 'target-plan': 'expert:cats' }, refused('expert/notYetImplemented', 'the expert cats takes no messages yet'));
  check({ target: 'auto' }, refused('message/unrouted', 'nothing finds a target by itself yet'));
  check({}, refused('message/noTarget', 'it names no target'));
  const two = { 'target-plan': parser, 'target-expert': 'cats' };
  check(two, refused('message/twoTargets', 'it names target-plan and target-expert'));
});

test('a plan that is not there is refused with the names that come near', () => {
  check(
    { 'target-plan': `${from}/parse` },
    { ...refused('message/unknownPlan', `there is no plan ${from}/parse`), help: `Plans of this project: ${parser}.` },
  );
  check({ 'target-plan': 'parser' }, { code: 'message/unknownPlan', help: `Plans of this project: ${parser}.` });
  const entry = { reason: 'x', body: 'y', 'target-plan': `${from}/parse` };
  expect(dispatchTarget(from, entry, [from])).toMatchObject({ help: 'This project has no other plan.' });
});

test('the record of the sender names what was named', () => {
  const text = (target: object) => targetText({ reason: 'x', body: 'y', ...target });
  expect(text({ 'target-plan': parser })).toBe(parser);
  expect(text({ target: 'auto' })).toBe('auto');
  expect(text({ 'target-project': 'Other', 'target-expert': 'cats' })).toBe('Other and cats');
  expect(text({})).toBe('nobody');
});
