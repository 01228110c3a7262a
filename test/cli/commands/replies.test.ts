import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { Answer, AskedBackRow } from '../../../src/model/requests/messages.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';

const id = '01M0A9XQYJ6N8K3T5V7W9Y1Z2A' as Ulid;
const by = toQualifiedId('expert:rust');
const askedBack: AskedBackRow = { by, text: 'Which executor?', round: 1 };
const answer: Answer = {
  ...{ query: id, question: 'When to pin?', from: 'person', by, at: '2026-01-02T03:04:05Z', state: 'answered' },
  ...{ text: 'At the first poll.', citations: ['Pinning (knowledge/pin.md)'], isSupported: true },
  passages: [{ entry: 'pin-1', title: 'Pinning', path: 'knowledge/pin.md', hash: 'a', passage: 'Pin it then.' }],
};

async function run(args: readonly string[], handlers: FakeHandlers) {
  const ports = await createFakePorts(handlers);
  return { code: await runCommandLine(args, ports), ...ports.written };
}

test('ravel ask prints what is asked back, and how to reply', async () => {
  const ask = () => ({ query: id, askedBack });
  const { code, stdout } = await run(['ask', 'expert:rust', 'When to pin?'], { ask });
  expect(code).toBe(5);
  expect(stdout).toContain('expert:rust asks back:\n  Which executor?');
  expect(stdout).toContain(`ravel reply ${id} TEXT`);
});

test('ravel reply prints the answer with the words that it rests on, or the next question back', async () => {
  const asked: object[] = [];
  const reply: NonNullable<FakeHandlers['reply']> = ({ id: _id, ...params }) => {
    asked.push(params);
    return { query: id, answer };
  };
  const { code, stdout } = await run(['reply', id, ' One thread. ', '--wait', '7'], { reply });
  expect([code, asked]).toEqual([0, [{ query: id, text: 'One thread.', 'wait-seconds': 7 }]]);
  expect(stdout).toContain('“Pin it then.”');
  const again = await run(['reply', id, 'x'], { reply: () => ({ query: id, askedBack }) });
  expect([again.code, again.stdout]).toEqual([5, expect.stringContaining('asks back')]);
  expect((await run(['reply', id, 'x', '--wait', '0'], { reply: () => ({ query: id }) })).code).toBe(0);
  expect(await run(['reply', id, ' '], {})).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') });
});

test('ravel answer says what is asked back, and whether sources could be checked', async () => {
  const waiting = await run(['answer', id], { answer: () => ({ askedBack }) });
  expect([waiting.code, waiting.stdout]).toEqual([5, expect.stringContaining('Which executor?')]);
  const doubtful = { ...answer, isSupported: false, passages: [], citations: [] };
  const { stdout } = await run(['answer', id], { answer: () => ({ answer: doubtful }) });
  expect(stdout).toContain('None of its sources could be checked.');
  const reused = await run(['answer', id], { answer: () => ({ answer: { ...answer, reusedFrom: id } }) });
  expect(reused.stdout).toContain(`From receipt ${id}`);
});

test('ravel answer --give answers in the place of whom was asked, and says if someone was quicker', async () => {
  const given: object[] = [];
  const answer_in_place: NonNullable<FakeHandlers['answer_in_place']> = (params) => {
    given.push(params);
    return { answer: { ...answer, isByPerson: true } };
  };
  const mine = await run(['answer', id, '--give', answer.text], { answer_in_place });
  expect([mine.code, given]).toEqual([0, [{ query: id, text: answer.text }]]);
  expect(mine.stdout).toContain('A person answers for expert:rust');
  const late = await run(['answer', id, '--give', 'Never.'], { answer_in_place });
  expect([late.code, late.stderr + late.stdout]).toEqual([5, expect.stringContaining('had its answer already')]);
  expect((await run(['answer', id, '--give', ''], {})).code).toBe(2);
});
