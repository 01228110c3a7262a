import { expect, test } from 'vitest';
import { createExpertActor, questionBytesMax } from '../../src/experts/expertActor.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Message } from '../../src/model/message.ts';
import { person } from '../../src/model/person.ts';
import { parseExpert } from '../../src/vault/expertStore.ts';
import { formatTargets } from '../../src/vault/promptCatalog.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { FakeEffects } from '../support/fakeDelivery.ts';

const to = toQualifiedId('expert:rust');
const id = '01M00000000000000000000000' as Ulid;
const header = { id, from: person, to, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
const query = { ...header, type: 'query', question: 'Why?' } as const;

async function handle(message: Message, text = declaration()) {
  const { expert, diagnostics } = parseExpert('rust', text, 'experts/rust.md');
  const registry = { current: async () => ({ experts: expert === undefined ? [] : [expert], diagnostics }) };
  const taken: Message[] = [];
  const answers = { take: async (_actor: unknown, message: Message) => void taken.push(message) };
  const actor = createExpertActor({ registry, answers }, to);
  const outcome = await actor.handle(message, new FakeEffects().delivery());
  await actor.stop();
  return { outcome, taken };
}

test('an expert takes in a question', async () => {
  const { outcome, taken } = await handle(query);
  expect([outcome.kind, taken]).toEqual(['done', [query]]);
});

test.each<[string, Message, string, string?]>([
  ['a task', { ...header, type: 'dispatch', reason: 'a', body: 'b' }, 'expert/questionsOnly'],
  ['a note', { ...header, type: 'note', text: 'a' }, 'expert/questionsOnly'],
  ['a question of another expert', { ...query, from: toQualifiedId('expert:ffi') }, 'expert/asksExpert'],
  ['a question without words', { ...query, question: ' \n' }, 'expert/badQuestion'],
  ['a question that is a document', { ...query, question: 'x'.repeat(questionBytesMax + 1) }, 'expert/badQuestion'],
  ['a question while its declaration has a fault', query, 'expert/badDeclaration', declaration({ persona: '' })],
])('an expert rejects %s', async (_name, message, code, text) => {
  const { outcome, taken } = await handle(message, text);
  expect(outcome).toMatchObject({ kind: 'rejected', code });
  expect(taken).toEqual([]);
});

test('an expert without a declaration rejects questions', async () => {
  const registry = { current: async () => ({ experts: [], diagnostics: [] }) };
  const actor = createExpertActor({ registry, answers: { take: () => Promise.reject(new Error('taken')) } }, to);
  const outcome = await actor.handle(query, new FakeEffects().delivery());
  expect(outcome).toMatchObject({ kind: 'rejected', code: 'expert/removed' });
});

test('the prompt catalog says what experts do', () => {
  const current = toQualifiedId('Demo/project-root');
  const experts = [{ actor: toQualifiedId('expert:cats'), description: 'Knows cats' }];
  const text = formatTargets({ current, plans: [{ plan: current }], sizes: new Map([['Demo', 1]]), experts });
  expect(text).toContain('It answers questions from its part of the vault’s knowledge');
});
