import { expect, test } from 'vitest';
import type { Code } from '../../src/model/codes.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { Sender } from '../../src/model/message.ts';
import { parseTarget, type TargetFields } from '../../src/model/namedTarget.ts';
import { person } from '../../src/model/person.ts';
import { targetProblem } from '../../src/model/targetProblem.ts';

const shop = toQualifiedId('Shop/project-root');
const rust = toQualifiedId('expert:rust');
const cards = 'Bank/project-root/cards';

function check(fields: TargetFields, code: Code | undefined, from: Sender = shop): void {
  expect(targetProblem(parseTarget(fields), from)?.code).toBe(code);
}

test.each<[TargetFields, Sender?]>([
  [{ 'target-plan': 'Shop/project-root/checkout' }],
  [{ 'target-plan': 'no plan at all' }],
  [{ 'target-plan': 'expert:rust' }],
  [{ 'target-plan': cards }, person],
  [{ 'target-plan': cards }, rust],
  [{ 'target-project': 'Bank', 'suggested-target-plan': cards }],
  [{ 'target-project': 'Shop' }, person],
  [{ 'target-project': 'Shop' }, rust],
  [{ 'target-expert': 'rust' }],
  [{ target: 'auto' }],
])('names alone do not speak against %j', (fields, from) => check(fields, undefined, from));

test.each<[TargetFields, Code, Sender?]>([
  [{}, 'message/noTarget'],
  [{ 'suggested-target-plan': cards }, 'message/noTarget'],
  [{ target: 'auto', 'target-expert': 'rust' }, 'message/twoTargets'],
  [{ 'target-plan': shop }, 'message/toSelf'],
  [{ 'target-expert': 'rust' }, 'message/toSelf', rust],
  [{ 'target-expert': 'expert:rust' }, 'message/toSelf', rust],
  [{ 'target-plan': cards }, 'message/otherProject'],
  [{ 'target-project': 'Shop' }, 'message/ownProject'],
  [{ 'target-project': 'Bank', 'suggested-target-plan': shop }, 'message/suggestedElsewhere'],
  [{ 'target-project': 'Bank', 'suggested-target-plan': 'Bank' }, 'message/suggestedElsewhere'],
  [{ target: 'auto', 'suggested-target-plan': cards }, 'message/suggestedElsewhere', person],
])('%j is refused with %s', (fields, code, from) => check(fields, code, from));
