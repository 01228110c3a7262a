import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { encodeHeader, encodeRecord } from '../../src/actors/record.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { type Message, mailboxMessagesMax } from '../../src/model/message.ts';
import { formatCursor, range } from '../actors/mailboxPlace.ts';
import { idOf, message } from '../actors/messages.ts';
import { decide, makeConflictWorld, onlyApproval, runIntoConflict } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { failingDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A vault with two plans and no owner, and the files of the mailbox of the second plan. */
async function makeFamily() {
  const world = await makeWorld();
  const core = await openCore(world, { role: 'local' });
  const child = toQualifiedId(`${world.plan}/child`);
  await core.api.request('create', { plan: child, description: 'Minds the cats' });
  await core.stop();
  return { world, child, paths: mailboxPaths(join(world.vault, 'runtime/mailboxes'), child) };
}

/** Sends a message and waits until it is handled, and with it all messages before it. */
async function deliver(core: Core, to: string, body: string): Promise<void> {
  const id = idOf(bodies.indexOf(body) + 1);
  const handled = nextEvent(core, 'message.handled', (event) => event.message === id);
  await core.api.request('send', { to, id, type: 'dispatch', reason: 'Now', body });
  expect(await handled).toMatchObject({ outcome: { kind: 'done' } });
}

const bodies = ['one', 'two', 'three', 'four', 'Not held up'];

function received(world: World, folder = 'child'): string[] {
  const backlog = parse(readFileSync(join(world.planDirectory, folder, 'backlog.yaml'), 'utf8'));
  return ((backlog as { received?: { body: string }[] }).received ?? []).map(({ body }) => body.trim());
}

interface Lost {
  readonly name: string;
  readonly cursor: (length: number) => object;
  /** The last message number that a compaction has removed. */
  readonly compacted?: number;
}

const lost: readonly Lost[] = [
  { name: 'ahead of the file', cursor: () => ({ seq: 99, offset: 1_000_000 }) },
  { name: 'ahead of the file, at the offset of its end', cursor: (length) => ({ seq: 99, offset: length }) },
  { name: 'behind a compaction', cursor: () => ({ seq: 7, offset: 700 }), compacted: 1000 },
  { name: 'pointing into a record', cursor: () => ({ seq: 2, offset: 10 }) },
  { name: 'pointing into the last record', cursor: (length) => ({ seq: 3, offset: length - 5 }) },
];

test.each(lost)('a cursor $name loses no message and repeats none', async ({ cursor, compacted = 0 }) => {
  const { world, child, paths } = await makeFamily();
  const first = await openCore(world);
  for (const body of ['one', 'two', 'three']) await deliver(first, child, body);
  await first.stop();
  const lines = readFileSync(paths.mailbox, 'utf8').trimEnd().split('\n');
  const records = lines.map((line, at) => {
    const { seq: _seq, crc: _crc, ...sent } = JSON.parse(line);
    return encodeRecord(compacted + at + 1, sent as Message);
  });
  const header = compacted === 0 ? '' : encodeHeader(compacted, [idOf(99)]);
  const text = `${header}${records.join('')}`;
  writeFileSync(paths.mailbox, text);
  writeFileSync(paths.cursor, formatCursor({ actor: child, ...cursor(text.length) }));
  const { core } = await startCore(world);
  await deliver(core, child, 'four');
  expect(received(world)).toEqual(['one', 'two', 'three', 'four']);
  expect(JSON.parse(readFileSync(paths.cursor, 'utf8'))).toMatchObject({ seq: compacted + 5 });
});

test.each([
  ['the last', 2],
  ['the middle', 1],
])(
  'a damaged line that was already handled, %s one, parks its plan at the next message and names the line',
  async (_name, at) => {
    const { world, child, paths } = await makeFamily();
    const first = await openCore(world);
    for (const body of ['one', 'two', 'three']) await deliver(first, child, body);
    await first.stop();
    const whole = readFileSync(paths.mailbox, 'utf8');
    const lines = whole.split('\n');
    writeFileSync(paths.mailbox, lines.with(at, `${lines[at]?.replace('Now', 'Not')}`).join('\n'));
    const { core } = await startCore(world);
    const note = { to: child, type: 'note', id: idOf(8), text: 'Mind the cat.' } as const;
    const told = { code: 'mailbox/corrupt', message: expect.stringContaining(`Line ${at + 1} of ${paths.mailbox}`) };
    expect(await failureOf(() => core.api.request('send', note))).toMatchObject(told);
    const { actors } = await core.api.request('actors', {});
    expect(actors).toMatchObject([{ actor: child, state: 'faulted', fault: { ...told, file: paths.mailbox } }]);
    expect((await core.api.request('status', { plan: child })).actor).toMatchObject({ state: 'faulted' });
    const { diagnostics } = await core.api.request('verify', {});
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'mailbox/corrupt', file: paths.mailbox }));
    // Another message is refused as well, and no other plan is affected.
    expect(await failureOf(() => deliver(core, child, 'four'))).toMatchObject(told);
    await deliver(core, world.plan, 'Not held up');

    writeFileSync(paths.mailbox, whole);
    await core.api.request('revive', { actor: child });
    expect((await core.api.request('actors', {})).actors.map(({ actor }) => actor)).toEqual([world.plan]);
    const handled = nextEvent(core, 'message.handled', (event) => event.message === note.id);
    await core.api.request('send', note);
    await handled;
    expect(received(world)).toEqual(['one', 'two', 'three', 'Mind the cat.']);
  },
);

test('a mailbox with 100,000 messages does not hold up the start, and refuses one more', {
  timeout: 120_000,
}, async () => {
  const { world, child, paths } = await makeFamily();
  const { core: before, server } = await startCore(world);
  await deliver(before, child, 'one');
  await server.stop();
  await before.stop();
  for (let from = 1; from <= mailboxMessagesMax; from += 10_000) {
    const text = range(from, from + 9_999).map((n) => encodeRecord(n, { ...message(n), to: child }));
    writeFileSync(paths.mailbox, text.join(''), { flag: from === 1 ? 'w' : 'a' });
  }
  writeFileSync(paths.cursor, formatCursor({ actor: child, seq: 1, offset: 0 }));
  // The plan crashed too often, so it handles no message until a person revives it.
  const crashes = join(world.vault, 'runtime/plans', `${segmentFromId(child)}.crashes.json`);
  writeFileSync(crashes, JSON.stringify(Array(50).fill(systemClock.wallMs())));
  const { core } = await startCore(world);
  const { actors } = await core.api.request('actors', {});
  expect(actors).toMatchObject([{ actor: child, queued: mailboxMessagesMax }]);
  const refused = await failureOf(() => core.api.request('send', { to: child, type: 'note', text: 'One more' }));
  expect(refused).toMatchObject({ code: 'mailbox/full', message: expect.stringContaining(`${mailboxMessagesMax}`) });
  await deliver(core, world.plan, 'Not held up');
  expect(received(world, '')).toEqual(['Not held up']);
  expect((await core.api.request('status', { plan: child })).actor).toMatchObject({ queued: mailboxMessagesMax });
});

/** Bytes in use after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('10,000 messages to a faulted plan are kept on the disk, not in memory, and are counted', {
  timeout: 400_000,
}, async () => {
  const { world, child, paths } = await makeFamily();
  const crashes = join(world.vault, 'runtime/plans', `${segmentFromId(child)}.crashes.json`);
  writeFileSync(crashes, JSON.stringify(Array(50).fill(systemClock.wallMs())));
  const { core } = await startCore(world);
  const count = 10_000;
  const atOnce = 500;
  const body = `It crashed again.\n${'='.repeat(3600)}`;
  const heldBefore = heldBytes();
  for (let sent = 0; sent < count; sent += atOnce) {
    const posted = range(1, atOnce).map(() => {
      return core.api.request('dispatch', { 'target-plan': child, reason: 'Now', body });
    });
    const outcomes = await Promise.all(posted);
    expect(outcomes.every(({ outcome }) => outcome?.kind === 'routed')).toBe(true);
  }
  // The words are kept to test rules with; the bodies are not.
  expect(heldBytes() - heldBefore).toBeLessThan((count * body.length * 3) / 4);
  expect(readFileSync(paths.mailbox, 'utf8').trimEnd().split('\n').length).toBeGreaterThanOrEqual(count);
  expect((await core.api.request('actors', {})).actors).toMatchObject([{ actor: child, queued: count }]);
  expect((await core.api.request('status', { plan: child })).actor).toMatchObject({ queued: count });
  const { checks } = await core.api.request('doctor', {});
  const told = checks.find(({ subject, check }) => subject === child && check === 'messages');
  expect(told?.message).toContain(`${count} messages wait.`);
  await deliver(core, world.plan, 'Not held up');
  expect(received(world, '')).toEqual(['Not held up']);
});

test('a full disk takes in no part of a message, and takes it whole once there is room', async () => {
  const { world, child, paths } = await makeFamily();
  const matches = (name: string, path: string) => name === 'file.write' && path === paths.mailbox;
  const { core } = await startCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 2, matches }) });
  await deliver(core, child, 'one');
  const id = idOf(7);
  const two = { to: child, id, type: 'dispatch', reason: 'Now', body: 'two' } as const;
  expect(await failureOf(() => core.api.request('send', two))).toMatchObject({ code: 'disk/full' });
  const handled = nextEvent(core, 'message.handled', (event) => event.message === id);
  await core.api.request('send', two);
  await handled;
  expect(received(world)).toEqual(['one', 'two']);
});

test('a clock set back by a day changes no order and holds up neither messages nor decisions', async () => {
  const world = await makeConflictWorld();
  const day = 86_400_000;
  const first = await startCore(world);
  await deliver(first.core, world.plan, 'one');
  const page = await runIntoConflict(first.core, world);
  await first.server.stop();
  await first.core.stop();
  const clock: Clock = {
    wallMs: () => systemClock.wallMs() - day,
    monotonicMs: () => systemClock.monotonicMs(),
    schedule: (delayMs, callback) => systemClock.schedule(delayMs, callback),
  };
  const { core } = await startCore(world, { clock });
  await deliver(core, world.plan, 'two');
  expect(received(world, '')).toEqual(['one', 'two']);
  expect((await onlyApproval(core.api)).approval).toBe(page.approval);
  expect(await decide(core.api, page, 'accept', { option: 'session' })).toMatchObject({ report: { end: 'finished' } });
  const { lastEnd, phase } = await core.api.request('status', { plan: world.plan });
  expect(phase).toBe('triage');
  expect(Date.parse(lastEnd?.at ?? '')).toBeLessThan(Date.parse(page.createdAt));
  expect((await core.api.request('spending', {})).days).not.toEqual([]);
});
