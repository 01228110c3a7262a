import { expect, test } from 'vitest';
import { createExpertActor } from '../../src/experts/expertActor.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { person } from '../../src/model/message.ts';
import { formatTargets } from '../../src/vault/promptCatalog.ts';
import { FakeEffects } from '../support/fakeDelivery.ts';

test('an expert rejects every message and says why', async () => {
  const to = toQualifiedId('expert:cats');
  const id = '01M00000000000000000000000' as Ulid;
  const header = { id, from: person, to, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
  const expert = createExpertActor(to);
  for (const message of [
    { ...header, type: 'query', question: 'Why?' },
    { ...header, type: 'dispatch', reason: 'a', body: 'b' },
  ] as const) {
    expect(await expert.handle(message, new FakeEffects().delivery())).toEqual({
      kind: 'rejected',
      code: 'expert/notYetImplemented',
      reason: 'The expert cats cannot answer yet; ask a plan or a person.',
    });
  }
  await expert.stop();
});

test('the prompt catalog says that experts do not answer yet', () => {
  const current = toQualifiedId('Demo/project-root');
  const experts = [{ actor: toQualifiedId('expert:cats'), description: 'Knows cats' }];
  const text = formatTargets({ current, plans: [{ plan: current }], sizes: new Map([['Demo', 1]]), experts });
  expect(text).toContain('Experts cannot answer or take in anything yet');
});
