import { expect, test } from 'vitest';
import { failure } from '../../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { replyId } from '../../../src/model/reply.ts';
import type { GivenReply, QuestionEnd } from '../../../src/plans/sessions/askedQuestion.ts';
import type { AskingSession } from '../../../src/plans/sessions/askInCall.ts';
import { replyInCall } from '../../../src/plans/sessions/replyInCall.ts';

const question = '01M00000000000000000000001' as Ulid;
const session = '01M00000000000000000000002' as Ulid;
const plan = toQualifiedId('Demo/project-root');
const end: QuestionEnd = { note: replyId(question, 'answered'), text: 'Yes.', isRefused: false };

interface Played {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly give?: () => Promise<QuestionEnd | undefined>;
  readonly secrets?: readonly string[];
  readonly isOver?: boolean;
}

async function reply({ args = { question, text: 'One thread.' }, give = async () => end, ...rest }: Played = {}) {
  const given: GivenReply[] = [];
  const records: object[] = [];
  const asking = {
    transaction: { plan, session },
    closing: new AbortController().signal,
    inTurn: async (work: () => unknown) => work(),
    isOver: () => rest.isOver ?? false,
    secretsIn: () => rest.secrets ?? [],
    refuse: ({ code }: { code: string }) => ({ text: code, isError: true }),
    record: async (record: { result: object }, _edits: unknown, summary: string) => {
      records.push({ ...record, summary });
      return record.result;
    },
  } as unknown as AskingSession;
  const result = await replyInCall(
    asking,
    async (one) => {
      given.push(one);
      return give();
    },
    'call-1',
    args,
  );
  return { result, given, records };
}

test('a reply is given for the plan, under the same id for the same call, and its call tells the end', async () => {
  const first = await reply();
  expect(first.result).toEqual({ text: 'Yes.', isError: false });
  expect(first.given).toMatchObject([{ query: question, from: plan, text: 'One thread.' }]);
  expect(first.records).toMatchObject([{ verb: 'message/reply', notes: [end.note] }]);
  expect((await reply()).given).toEqual(first.given);
});

test('a reply without an answer in time says that the answer comes later', async () => {
  const { result, records } = await reply({ give: async () => undefined });
  expect(result).toMatchObject({ isError: false, text: expect.stringContaining('has no answer yet') });
  expect(records).not.toHaveProperty('0.notes');
});

test.each<[string, Played, string]>([
  ['without a question', { args: { text: 'x' } }, 'state/badArguments'],
  ['that holds a secret', { secrets: ['a token'] }, 'gate/refused'],
  ['after the end of the phase', { isOver: true }, 'The phase is over'],
])('a reply %s is not given', async (_name, played, text) => {
  const { result, given } = await reply(played);
  expect(result).toMatchObject({ isError: true, text: expect.stringContaining(text) });
  expect(given).toEqual([]);
});

test('a reply that no question waits for is refused', async () => {
  const give = () => Promise.reject(failure('question/foreign', question, 'Not yours.'));
  expect((await reply({ give })).result).toEqual({ text: 'question/foreign', isError: true });
});
