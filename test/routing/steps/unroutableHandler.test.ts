import { expect, test } from 'vitest';
import type { Approval, Decision } from '../../../src/model/approval.ts';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { RoutedMessage, RouteOutcome, UnroutableMessage } from '../../../src/model/routing.ts';
import type { PersonsChoice } from '../../../src/routing/steps/routerParts.ts';
import { createUnroutableHandler, unroutableSubject } from '../../../src/routing/steps/unroutableHandler.ts';
import type { Destination } from '../../../src/routing/targets.ts';
import { failureOf } from '../../support/failureOf.ts';

const message = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const pay = 'Shop/project-root/pay' as QualifiedId;

const details: UnroutableMessage = {
  ...{ message, on: 'dispatch', from: 'Blog/project-root' as QualifiedId, named: { 'target-project': 'Shop' } },
  ...{ reason: 'It is theirs', body: 'Pay it\n\nback', why: 'Shop rejected it.' },
  candidates: [{ recipient: pay, score: 0.414, parts: {} }],
};

/** An effect whose vault has only the plans in `there`. */
function make(there: readonly string[] = [pay]) {
  const choices: [PersonsChoice, string][] = [];
  const effect = createUnroutableHandler({
    async destinationByPerson(_message: RoutedMessage, target: string): Promise<Destination> {
      if (target === 'Shop') return { kind: 'project', project: 'Shop' };
      if (there.includes(target)) return { kind: 'actor', actor: target as QualifiedId };
      return {
        kind: 'refused',
        code: 'message/unknownPlan',
        reason: `there is no plan ${target}`,
        help: `Plans: ${pay}.`,
      };
    },
    async decideByPerson(_id: Ulid, choice: PersonsChoice, by: string): Promise<RouteOutcome> {
      choices.push([choice, by]);
      if (choice.kind === 'send') return { kind: 'routed', to: choice.to };
      return { kind: 'refused', code: 'message/unrouted', reason: choice.reason };
    },
  });
  return { effect, choices };
}

const approval = { id: message, kind: 'unroutable-message', options: [pay], details } as unknown as Approval;

test.each([
  [{ option: pay }, undefined],
  [{ text: ` ${pay}\n` }, undefined],
  [{ text: 'Shop' }, /no single plan/],
  [{ text: 'Shop/project-root/gone' }, /there is no plan Shop\/project-root\/gone/],
] as const)('accepting an unroutable message with %j is refused with %s', async (given, why) => {
  const check = () => make().effect.check(approval, { decision: 'accept', ...given });
  if (why === undefined) await check();
  else
    expect(await failureOf(check)).toMatchObject({ code: 'approval/badDecision', message: expect.stringMatching(why) });
});

test.each([
  [{ decision: 'accept', option: pay }, { kind: 'send', to: pay }, `It goes to ${pay}.`],
  [{ decision: 'accept', text: pay }, { kind: 'send', to: pay }, `It goes to ${pay}.`],
  [{ decision: 'reject', reason: 'Not now' }, { kind: 'refuse', reason: 'Not now' }, /told: Not now/],
  [{ decision: 'reject' }, { kind: 'refuse', reason: 'A person found no receiver for it.' }, /is told/],
] as const)('the decision %j is carried out as %j', async (given, choice, did) => {
  const { effect, choices } = make();
  const done = await effect.carryOut({ ...approval, ...given, by: 'ada', at: '' } as Decision);
  expect(choices).toEqual([[choice, 'ada']]);
  expect(done.did).toMatch(did);
});

test('rejecting an unroutable message does not look up a receiver', async () => {
  const effect = createUnroutableHandler({
    destinationByPerson: () => Promise.reject(new Error('nobody was named')),
    decideByPerson: async () => ({ kind: 'refused', code: 'message/unrouted', reason: 'Not now' }),
  });
  const rejected = { ...approval, decision: 'reject', by: 'ada', at: '' } as Decision;
  expect((await effect.carryOut(rejected)).did).toContain('Not now');
});

test('a message sent to a plan that is gone is refused, and its sender gets the reason', async () => {
  const { effect, choices } = make([]);
  await effect.carryOut({ ...approval, decision: 'accept', option: pay, by: 'ada', at: '' } as Decision);
  expect(choices).toMatchObject([
    [{ kind: 'refuse', reason: expect.stringContaining(`${pay}, which a person chose`) }, 'ada'],
  ]);
});

test.each([
  [
    { on: 'dispatch', reason: 'It is theirs' },
    '“Pay it” (because: It is theirs): where should this task from Blog/project-root go?',
  ],
  [{ on: 'query', from: 'person', reason: '' }, '“Pay it”: where should this question from a person go?'],
] as const)('the subject of an unroutable message (%j) is “%s”', (given, subject) => {
  expect(unroutableSubject({ ...details, ...given })).toBe(subject);
});

test('the page of an unroutable message shows everything a person needs to decide', async () => {
  const { shown } = await make().effect.describe(approval);
  expect(shown).toBe(
    [
      'A task from Blog/project-root to Shop.',
      'Why it was sent: It is theirs',
      'Why no plan takes it: Shop rejected it.',
      ...['', '  Pay it', '', '  back', '', 'Possible receivers:', `- ${pay} (0.41)`],
    ].join('\n'),
  );
});
