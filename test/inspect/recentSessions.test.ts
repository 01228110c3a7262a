import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { recentSessions } from '../../src/inspect/recentSessions.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { goodReflection, makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { startCore } from '../support/world.ts';

const ids = ['01HZY0000000000000000000S1', '01HZY0000000000000000000S2', '01HZY0000000000000000000S3'] as const;

function event(type: string, more: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ at: '2026-01-02T03:04:05Z', actor: 'demo/project-root', type, ...more })}\n`;
}

async function makeTranscripts(texts: Readonly<Record<string, string>>) {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  for (const [session, text] of Object.entries(texts)) {
    await mkdir(join(layout.sessions, session), { recursive: true });
    await writeFile(join(layout.sessions, session, 'transcript.jsonl'), text);
  }
  return { disk: nodeDisk, layout };
}

const started = event('session.started', { session: ids[0], phase: 'work', harness: 'scripted' });
const ended = event('phase.ended', { phase: 'work', end: 'failed', next: 'work', session: ids[0], summary: 'No.' });

test('a finished phase is listed with its end and summary, and an open phase by hand without an end', async () => {
  const world = await makeReflectWorld(goodReflection);
  const { core } = await startCore(world);
  expect(await core.api.request('sessions', {})).toEqual({ sessions: [] });
  const report = await core.api.request('run_phase', runOptionsOf(world));
  const { sessions } = await core.api.request('sessions', {});
  expect(sessions).toMatchObject([
    {
      session: report.session,
      plan: 'greeter/project-root',
      phase: 'reflect',
      harness: 'scripted',
      ended: { end: 'finished', summary: 'Learned something.' },
    },
  ]);
  const hand = await core.api.request('begin_manual_run', { plan: world.plan });
  const [newest] = (await core.api.request('sessions', { limit: 1 })).sessions;
  expect(newest).toMatchObject({ session: hand.session, phase: 'triage', harness: 'person' });
  expect(newest).not.toHaveProperty('ended');
});

const verb = (applied: boolean) =>
  event('session.verb', { session: ids[0], verb: 'answer', applied, summary: 'Ada does.' });
const over = event('session.ended', { session: ids[0], end: 'exited', durationMs: 5 });

test.each([
  ['that answered', [verb(true), over], { end: 'finished', summary: 'Ada does.' }],
  ['whose answer was refused', [verb(false), over], { end: 'interrupted' }],
  ['that ended without an answer', [over], { end: 'interrupted', summary: 'It gave no answer.' }],
  ['that is still running', [verb(true)], undefined],
])('a consultation %s is listed with the end that its calls imply', async (_name, lines, ended) => {
  const asked = event('session.started', { session: ids[0], phase: 'route', harness: 'scripted', actor: 'vault' });
  const ports = await makeTranscripts({ [ids[0]]: [asked, ...lines].join('') });
  const [row] = (await recentSessions(ports, { limit: 9 })).sessions;
  expect(row).toMatchObject({ session: ids[0], phase: 'route' });
  expect(row).not.toHaveProperty('plan');
  if (ended === undefined) expect(row?.ended).toBeUndefined();
  else expect(row?.ended).toMatchObject(ended);
});

test('a 5 MB transcript is listed from its first and last lines', async () => {
  const long = event('session.output', {
    session: ids[0],
    seq: 0,
    output: { kind: 'text', text: 'x'.repeat(5_000_000) },
  });
  const ports = await makeTranscripts({ [ids[0]]: started + long + ended });
  expect(await recentSessions(ports, { limit: 9 })).toMatchObject({ sessions: [{ ended: { end: 'failed' } }] });
});

test('a folder in place of a transcript does not hide the sessions beside it', async () => {
  const ports = await makeTranscripts({ [ids[0]]: started + ended });
  await mkdir(join(ports.layout.sessions, ids[1], 'transcript.jsonl'), { recursive: true });
  expect(await recentSessions(ports, { limit: 9 })).toMatchObject({ sessions: [{ session: ids[0] }] });
});

test('a damaged transcript does not hide the sound lines and sessions beside it', async () => {
  const ports = await makeTranscripts({
    [ids[0]]: started + ended,
    [ids[1]]: '{ no line\n',
    [ids[2]]: `${started}no JSON\n${ended}{"at": "torn`,
    notes: started,
  });
  const { sessions } = await recentSessions(ports, { limit: 9 });
  expect(sessions.map(({ session }) => session)).toEqual([ids[2], ids[0]]);
  expect(sessions[0]).toMatchObject({ ended: { end: 'failed' } });
});

test('sessions are listed in pages, and the last page has no `next`', async () => {
  const ports = await makeTranscripts(Object.fromEntries(ids.map((id) => [id, started])));
  const first = await recentSessions(ports, { limit: 2 });
  expect(first).toMatchObject({ sessions: [{ session: ids[2] }, { session: ids[1] }], next: ids[1] });
  const second = await recentSessions(ports, { limit: 2, before: first.next });
  expect(second).toMatchObject({ sessions: [{ session: ids[0] }] });
  expect(second).not.toHaveProperty('next');
});
