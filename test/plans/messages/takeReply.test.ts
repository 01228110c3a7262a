import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ensureDirectory } from '../../../src/base/files.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../../src/model/backlog.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { messageSchema } from '../../../src/model/message.ts';
import { replyId } from '../../../src/model/reply.ts';
import { inboxLimits } from '../../../src/plans/messages/inbox.ts';
import { takeReply } from '../../../src/plans/messages/takeReply.ts';
import type { Note } from '../../../src/plans/sessions/sessionNotes.ts';
import { readYaml } from '../../../src/yaml/yaml.ts';
import { FakeEffects } from '../../support/fakeDelivery.ts';
import { makePlanWorld } from '../../support/planServices.ts';

const plan = toQualifiedId('Demo/project-root');
const other = toQualifiedId('Demo/project-root/cats');
const sent = '01M00000000000000000000001' as Ulid;
const asking = '01M00000000000000000000005' as Ulid;
const running = '01M00000000000000000000006' as Ulid;
const record = {
  id: sent,
  to: other,
  at: 'a',
  reason: 'r',
  body: 'Who feeds the cat?\nAnd when?',
};

interface Case {
  readonly kind?: 'query';
  readonly live?: Ulid;
  /** Whether the session that asked had the answer with its own call. */
  readonly wasDelivered?: boolean;
  /** The outcome in the record before the reply. */
  readonly before?: string;
}

async function take(
  about: string,
  said: object,
  { kind, live, wasDelivered = false, before = 'on its way' }: Case = {},
) {
  const dispatched = [{ ...record, outcome: before, session: asking, ...(kind && { kind }) }];
  const world = await makePlanWorld({
    plan: { 'backlog.yaml': `# Ada's\n${stringify({ tasks: [], dispatched })}` },
  });
  await ensureDirectory(nodeDisk, world.layout.plans);
  const id = replyId(sent, about as 'routed');
  if (wasDelivered) {
    mkdirSync(world.layout.session(asking), { recursive: true });
    const call = { call: 'c', tool: 't', args: {}, result: { text: '', isError: false }, notes: [id] };
    writeFileSync(`${world.layout.session(asking)}/calls.jsonl`, `${JSON.stringify(call)}\n`);
  }
  const notes: Note[] = [];
  const fake = { isStopped: false, of: () => live, note: async (_session: Ulid, note: Note) => notes.push(note) > 0 };
  const header = { id, from: other, to: plan, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id };
  const reply = messageSchema.parse({ ...header, type: 'reply', re: sent, about, text: '', by: other, ...said });
  if (reply.type !== 'reply') throw new Error('it is a reply');
  const effects = new FakeEffects();
  for (let delivery = 0; delivery < 2; delivery++) {
    await takeReply({ services: world.services, live: fake }, plan, reply, effects.delivery());
  }
  const text = world.planText('backlog.yaml') ?? '';
  expect(text.startsWith("# Ada's\n")).toBe(true);
  const backlog = readYaml(backlogSchema, text, { file: '', subject: '' }).value;
  const outcome = backlog?.dispatched?.map((one) => one.outcome);
  return { outcome, received: backlog?.received ?? [], notes: [...new Set(notes.map((note) => JSON.stringify(note)))] };
}

test.each([
  { about: 'routed', said: {}, outcome: `accepted by ${other}` },
  { about: 'routed', said: { text: 'rules r1' }, outcome: `accepted by ${other} (rules r1)` },
  { about: 'waiting', said: { text: 'nobody fits' }, outcome: 'waits for a person: nobody fits' },
  { about: 'unroutable', said: { text: 'nobody fits' }, outcome: 'refused: nobody fits' },
  { about: 'promoted', said: { task: 'feed-it' }, outcome: `promoted as feed-it of ${other}` },
  { about: 'declined', said: { text: 'no cat' }, outcome: 'declined: no cat' },
])(
  'a reply that a dispatch is $about sets its outcome to “$outcome” without a note',
  async ({ about, said, outcome }) => {
    expect(await take(about, said, { live: running })).toEqual({ outcome: [outcome], received: [], notes: [] });
  },
);

test.each([
  ['routed', 'waits for a person: nobody fits', `accepted by ${other}`],
  ['routed', `declined: no cat`, `declined: no cat`],
  ['routed', `promoted as feed-it of ${other}`, `promoted as feed-it of ${other}`],
  ['waiting', `accepted by ${other}`, `accepted by ${other}`],
  ['declined', `accepted by ${other}`, 'declined: '],
])('a late reply of %s turns the outcome “%s” into “%s”', async (about, before, outcome) => {
  expect((await take(about, {}, { before })).outcome).toEqual([outcome]);
});

const answered = { text: 'Ada does.', citations: ['memory/cats'] };

test('an answer goes to the running session', async () => {
  const { outcome, received, notes } = await take('answered', answered, { kind: 'query', live: running });
  expect([outcome, received]).toEqual([[`answered by ${other}`], []]);
  expect(notes.length).toBe(1);
  expect(JSON.parse(notes[0] ?? '')).toMatchObject({
    text: 'Ada does.\n\nIt rests on: memory/cats',
    answer: { query: sent, by: other },
  });
});

test('an answer without a running session becomes a received message that quotes the question', async () => {
  const { received } = await take('answered', answered, { kind: 'query' });
  expect(received).toMatchObject([{ from: other, re: sent, state: 'new', body: expect.stringContaining('Ada does.') }]);
  expect(received[0]?.reason).toContain('Who feeds the cat?');
});

test.each(['unanswered', 'unroutable'])('a question that is %s becomes a received message as well', async (about) => {
  const { received } = await take(about, { text: 'Nobody knows.' }, { kind: 'query' });
  expect(received).toMatchObject([{ re: sent, body: 'It is not answered: Nobody knows.' }]);
});

test('an answer that the asking session already had is not told again', async () => {
  const { outcome, received, notes } = await take('answered', answered, {
    kind: 'query',
    live: running,
    wasDelivered: true,
  });
  expect([outcome, received, notes]).toEqual([[`answered by ${other}`], [], []]);
});

test.each([
  ['routed', `accepted by ${other}`],
  ['waiting', 'waits for a person: '],
])('a question that is %s sets its outcome and tells no session', async (about, said) => {
  const { received, outcome } = await take(about, {}, { kind: 'query' });
  expect([received, outcome]).toEqual([[], [said]]);
});

test('an answer waits for room in the inbox, but the outcome of a task does not', async () => {
  const entry = { from: other, at: 'a', reason: 'r', body: 'b', state: 'new' };
  const full = Array.from({ length: inboxLimits.entries }, (_, n) => ({ ...entry, id: `old-${n}` }));
  const task = { ...record, id: '01M00000000000000000000002' as Ulid, outcome: 'on its way' };
  const backlog = stringify({ received: full, dispatched: [{ ...task, id: sent, kind: 'query' }, task] });
  const world = await makePlanWorld({ plan: { 'backlog.yaml': backlog } });
  await ensureDirectory(nodeDisk, world.layout.plans);
  const live = { isStopped: false, of: () => undefined, note: async () => false };
  const reply = (re: Ulid, about: 'answered' | 'promoted') => {
    const id = replyId(re, about);
    const header = { id, from: other, to: plan, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id, by: other };
    const parsed = messageSchema.parse({ ...header, type: 'reply', re, about, text: 'Ada', task: 't' });
    if (parsed.type !== 'reply') throw new Error('it is a reply');
    return parsed;
  };
  const taken = (re: Ulid, about: 'answered' | 'promoted', effects = new FakeEffects()) =>
    takeReply({ services: world.services, live }, plan, reply(re, about), effects.delivery());
  const answer = new FakeEffects();
  expect(await taken(sent, 'answered', answer)).toMatchObject({ kind: 'postponed' });
  expect(world.planText('backlog.yaml')).toBe(backlog);
  expect(await taken(task.id, 'promoted')).toMatchObject({ kind: 'done' });
  const noted = world.planText('backlog.yaml') ?? '';
  expect(noted).toContain('outcome: promoted as t');
  world.writePlan('backlog.yaml', noted.replace('state: new', 'state: declined'));
  expect(await taken(sent, 'answered', answer)).toEqual({ kind: 'done', summary: 'received' });
  expect(world.planText('backlog.yaml')).toContain('outcome: answered by');
});
