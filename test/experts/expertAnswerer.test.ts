import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { ensureDirectory } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createExpertAnswerer } from '../../src/experts/expertAnswerer.ts';
import { ExpertRegistry } from '../../src/experts/expertRegistry.ts';
import { gapFolder } from '../../src/experts/gaps.ts';
import { PromptHashes } from '../../src/experts/promptHashes.ts';
import { Receipts } from '../../src/experts/receipts.ts';
import type { ConsultationRequest } from '../../src/harness/consultation.ts';
import { VaultSearcher } from '../../src/knowledge/search/vaultSearcher.ts';
import { UseJournal } from '../../src/knowledge/uses/useJournal.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Message } from '../../src/model/message.ts';
import { replyId } from '../../src/model/reply.ts';
import { settingsSchema } from '../../src/model/settings.ts';
import { AnswerQueue } from '../../src/questions/answerQueue.ts';
import { loadAnswer } from '../../src/questions/answers.ts';
import { questionsTo } from '../../src/questions/questions.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { FakeActors } from '../support/fakeDelivery.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

const expert = toQualifiedId('expert:rust');
const id = '01M00000000000000000000000' as Ulid;
const query: Extract<Message, { type: 'query' }> = {
  ...{ id, type: 'query', from: toQualifiedId('Demo/project-root'), to: expert, ts: '', depth: 0, origin: id },
  question: 'When is a future pinned?',
};
const passage = 'A future is pinned from its first poll on.';
const cite = { answer: 'From its first poll on.', citations: [{ entry: 'pin-1', passage }], confidence: 'high' };

interface Options {
  readonly disk?: Disk;
  readonly actors?: FakeActors;
  readonly call?: readonly [tool: string, args: object];
}

async function makeVault(): Promise<VaultFolder> {
  const vault = await makeVaultFolder();
  vault.write('vault/experts/rust.md', declaration());
  vault.write('vault/knowledge/languages/rust/pin.md', `---\ntitle: Pin\nid: pin-1\n---\n${passage}\n`);
  await ensureDirectory(nodeDisk, vault.layout.runtime);
  return vault;
}

/** The queue of a vault whose sessions make one call. */
function open(
  { layout }: VaultFolder,
  { disk = nodeDisk, actors = new FakeActors(), call = ['answer', cite] }: Options,
) {
  const asked: ConsultationRequest[] = [];
  const events: RavelEvent[] = [];
  const promptsDirectory = join(import.meta.dirname, '../../prompts');
  const nextUlid = createUlids(systemClock);
  const searcher = new VaultSearcher({
    ...{ disk: nodeDisk, saving: nodeDisk, layout, clock: systemClock, version: '0' },
    onProblem: () => undefined,
  });
  const ports = {
    ...{ disk, layout, clock: systemClock, log: silentLogger, settings: settingsSchema.parse({}) },
    newUlid: () => nextUlid() as Ulid,
    emit: (event: RavelEvent) => void events.push(event),
    async consult(request: ConsultationRequest, signal: AbortSignal) {
      asked.push(request);
      const tool = request.tools.find(({ name }) => name === call[0]);
      await tool?.call(tool.args.parse(call[1]), signal);
      return { session: request.session, end: 'exited' as const, durationMs: 1, output: '', model: 'made' };
    },
    endOrphan: async () => undefined,
  };
  const answerer = createExpertAnswerer({
    uses: new UseJournal(disk, layout.uses),
    ports,
    prompts: new PromptHashes({ disk: nodeDisk, promptsDirectory }),
    registry: new ExpertRegistry({ disk: nodeDisk, layout }),
    receipts: new Receipts({ disk, layout }),
    search: { search: async (order) => ({ ...(await searcher.search(order)), diagnostics: [] }) },
  });
  const queue = new AnswerQueue({ ports, actors, answererOf: () => answerer, actorIds: async () => [] });
  return { queue, asked, events };
}

test.each<[string, readonly [string, object], boolean]>([
  ['an answer', ['answer', cite], false],
  ['a gap', ['decline', { missing: 'Which runtime.' }], true],
])(
  'after a crash at any change of the disk %s has one receipt, one reply, and is not asked for again',
  async (_name, call, isGap) => {
    for (let cut = 1; ; cut++) {
      const vault = await makeVault();
      const actors = new FakeActors();
      let changes = 0;
      const disk = traceDisk(nodeDisk, (_n, name) => {
        if (diskChanges.has(name) && ++changes >= cut) throw new Error('the power is cut');
      });
      const first = open(vault, { disk, actors, call });
      const isTaken = await first.queue.take(expert, query).then(
        () => true,
        () => false,
      );
      await first.queue.settled();
      const isWhole = changes < cut;
      const ports = { disk: nodeDisk, layout: vault.layout };
      const kept = await questionsTo(ports, expert).loadUndamaged(id);
      const wasAnswered = kept?.answer !== undefined || existsSync(vault.layout.answer(id));
      const second = open(vault, { actors, call });
      await second.queue.begin();
      if (!isTaken) await second.queue.take(expert, query);
      await second.queue.settled();
      if (wasAnswered) expect(second.asked, `cut ${cut}`).toEqual([]);
      const receipts = new Receipts(ports);
      expect(await receipts.load(id), `cut ${cut}`).toMatchObject({ id, state: isGap ? 'unknown' : 'answered' });
      expect(await gapFolder(ports).list()).toEqual(isGap ? [id] : []);
      expect(await loadAnswer(ports, id)).toMatchObject({ state: isGap ? 'refused' : 'answered' });
      expect(actors.sent.map((sent) => sent.id)).toEqual([replyId(id, isGap ? 'unanswered' : 'answered')]);
      expect(await questionsTo(ports, expert).list()).toEqual([]);
      if (isWhole) break;
    }
  },
);

test('a receipt names each plan that was given its answer again, with its latest question', async () => {
  const vault = await makeVault();
  const { queue, asked } = open(vault, {});
  const from = toQualifiedId('Shop/project-root');
  for (const [n, asker] of [query.from, query.from, from, 'person' as const, from].entries()) {
    await queue.take(expert, { ...query, id: `01M0000000000000000000000${n}` as Ulid, from: asker });
    await queue.settled();
  }
  const receipt = await new Receipts({ disk: nodeDisk, layout: vault.layout }).load(id);
  expect([asked.length, receipt?.from]).toEqual([1, query.from]);
  expect(receipt?.reusedBy).toEqual([{ id: '01M00000000000000000000004', from }]);
});

test('a question that has its receipt is answered from it without a session, under its own id', async () => {
  const vault = await makeVault();
  const { queue, asked } = open(vault, {});
  const other = '01M00000000000000000000001' as Ulid;
  await queue.take(expert, query);
  await queue.settled();
  await queue.take(expert, { ...query, id: other });
  await queue.settled();
  const ports = { disk: nodeDisk, layout: vault.layout };
  expect(await loadAnswer(ports, other)).toMatchObject({ query: other, reusedFrom: id, text: cite.answer });
  expect([asked.length, await new Receipts(ports).load(other)]).toEqual([1, undefined]);
});

test('a receipt that was removed or damaged leads to a session', async () => {
  for (const text of [undefined, '{']) {
    const vault = await makeVault();
    const { queue, asked } = open(vault, {});
    await queue.take(expert, query);
    await queue.settled();
    const file = `vault/runtime/receipts/${id}.json`;
    vault.write(file, text ?? '');
    await queue.take(expert, { ...query, id: '01M00000000000000000000001' as Ulid });
    await queue.settled();
    expect(asked).toHaveLength(2);
  }
});
