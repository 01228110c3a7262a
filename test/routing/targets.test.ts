import { describe, expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { messageBytesMax } from '../../src/model/message.ts';
import { parseTarget, type TargetFields } from '../../src/model/namedTarget.ts';
import { person } from '../../src/model/person.ts';
import type { RoutedMessage } from '../../src/model/routing.ts';
import { destinationOf, type Reachable } from '../../src/routing/targets.ts';

const reachable: Reachable = {
  plans: new Set([
    ...['Shop/project-root', 'Shop/project-root/checkout', 'Bank/project-root', 'Bank/project-root/cards'],
    'Till/project-root',
  ]),
  experts: new Set(['expert:rust', 'expert:research']),
  faultyExperts: new Map([['expert:wasm', 'The declaration has no "persona".']]),
  projects: new Map([
    ['Shop', 'there'],
    ['Bank', 'there'],
    ['Attic', 'gone'],
    ['Till', 'there'],
  ]),
};
const id = '01HZY0000000000000000000M1' as Ulid;
const shop = toQualifiedId('Shop/project-root');

function check(named: TargetFields, expected: object, more: Partial<RoutedMessage> = {}): void {
  const message = {
    id,
    type: 'dispatch',
    from: shop,
    target: parseTarget(named),
    reason: 'So',
    body: 'Do it.',
    depth: 0,
    origin: id,
    ...more,
  };
  expect(destinationOf(message as RoutedMessage, reachable)).toEqual(expected);
}

const refused = (code: string, reason: string, help?: string) => ({
  ...{ kind: 'refused', code, reason },
  ...(help !== undefined && { help }),
});
const actor = (name: string) => ({ kind: 'actor', actor: name });

describe('a message can be addressed', () => {
  test.each<[TargetFields, object, Partial<RoutedMessage>?]>([
    [{ 'target-plan': 'Shop/project-root/checkout' }, actor('Shop/project-root/checkout')],
    [{ 'target-plan': 'Bank/project-root/cards' }, actor('Bank/project-root/cards'), { from: person }],
    [{ 'target-expert': 'rust' }, actor('expert:rust')],
    [{ 'target-expert': 'expert:rust' }, actor('expert:rust')],
    [{ 'target-plan': 'expert:rust' }, actor('expert:rust')],
    [{ 'target-project': 'Bank' }, { kind: 'project', project: 'Bank' }],
    [{ 'target-project': 'Shop' }, { kind: 'project', project: 'Shop' }, { from: person }],
    [
      { 'target-project': 'Bank', 'suggested-target-plan': 'Bank/project-root/cards' },
      { kind: 'project', project: 'Bank', suggested: 'Bank/project-root/cards' },
    ],
    [{ 'target-project': 'Till' }, actor('Till/project-root'), { from: person }],
    [{ 'target-project': 'Till' }, { kind: 'project', project: 'Till' }],
    [
      { 'target-project': 'Till', 'suggested-target-plan': 'Till/project-root' },
      actor('Till/project-root'),
      { from: person },
    ],
    [{ target: 'auto' }, { kind: 'vault' }],
  ])('to %j, which means %j', (named, expected, more) => check(named, expected, more));
});

describe('a message cannot be addressed', () => {
  test.each<[TargetFields, object, Partial<RoutedMessage>?]>([
    [{}, refused('message/noTarget', 'it names no target')],
    [
      { target: 'auto', 'target-plan': 'Shop/project-root' },
      refused('message/twoTargets', 'it names more than one target: target-plan and target'),
    ],
    [{ 'target-plan': 'Shop/project-root' }, refused('message/toSelf', 'its sender cannot be its receiver')],
    [
      { 'target-plan': 'Bank/project-root/cards' },
      refused(
        'message/otherProject',
        'Bank/project-root/cards belongs to another project',
        'Name target-project: Bank with suggested-target-plan: Bank/project-root/cards.',
      ),
    ],
    [
      { 'target-plan': 'Bank/project-root/nobody' },
      refused(
        'message/otherProject',
        'Bank/project-root/nobody belongs to another project',
        'Name target-project: Bank.',
      ),
    ],
    [
      { 'target-plan': 'Shop/project-root/chekout' },
      refused(
        'message/unknownPlan',
        'there is no plan Shop/project-root/chekout',
        'Plans of this project with a similar name: Shop/project-root/checkout.',
      ),
    ],
    [
      { 'target-plan': 'Nix/project-root' },
      refused(
        'message/unknownPlan',
        'there is no plan Nix/project-root',
        'Plans of this vault: Shop/project-root, Shop/project-root/checkout, Bank/project-root, Bank/project-root/cards, Till/project-root.',
      ),
      { from: person },
    ],
    [
      { 'target-plan': 'Bank/project-root/crads' },
      refused(
        'message/unknownPlan',
        'there is no plan Bank/project-root/crads',
        'Plans of this vault with a similar name: Bank/project-root/cards.',
      ),
      { from: person },
    ],
    [
      { 'target-project': 'Shop' },
      refused('message/ownProject', "it names its sender's project Shop instead of a plan in it"),
    ],
    [{ 'target-project': 'Bnak' }, refused('message/unknownProject', 'there is no project Bnak', 'Projects: Bank.')],
    [{ 'target-project': 'Attic' }, refused('message/projectGone', 'the folder of the project Attic is not there')],
    [
      { 'target-expert': 'wasm' },
      refused(
        'message/faultyExpert',
        'expert:wasm cannot answer, since its declaration is not valid: The declaration has no "persona"',
        'Correct experts/wasm.md; `ravel experts` says all that is wrong with it.',
      ),
    ],
    [{ 'target-expert': 'rusty' }, refused('message/unknownExpert', 'there is no expert rusty', 'Experts: rust.')],
    [
      { 'target-project': 'Bank', 'suggested-target-plan': 'Shop/project-root/checkout' },
      refused(
        'message/suggestedElsewhere',
        'it suggests Shop/project-root/checkout, which is not a plan of a project that it names',
      ),
    ],
    [
      { target: 'auto', 'suggested-target-plan': 'Bank/project-root/cards' },
      refused(
        'message/suggestedElsewhere',
        'it suggests Bank/project-root/cards, which is not a plan of a project that it names',
      ),
    ],
    [
      { target: 'auto' },
      refused('message/tooDeep', 'it is number 11 in a chain of messages; the limit is 10'),
      { depth: 11 },
    ],
  ])('to %j: %j', (named, expected, more) => check(named, expected, more));

  test('with a body that is too long for a mailbox', () => {
    const body = '\u0001'.repeat(messageBytesMax / 4);
    const bytes = Buffer.byteLength(JSON.stringify(['So', body, { target: 'auto' }])) + 2048;
    check(
      { target: 'auto' },
      refused('message/tooLong', `it has about ${bytes} bytes, and the limit is ${messageBytesMax}`),
      { body },
    );
  });
});
