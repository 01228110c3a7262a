import { spawn } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeRecord } from '../../src/actors/record.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { message } from '../actors/messages.ts';
import { openCore } from '../support/openCore.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';
import { check, mailbox, question, runState, scripted, ulid, writeIn } from './doctorWorld.ts';

describe('doctor on plans and messages', () => {
  test('reports a file of a plan that cannot be read, and how much is wrong with it', () =>
    check({ arrange: (world) => world.writePlan('backlog.yaml', 'tasks: [\n') }, [
      {
        check: 'files',
        severity: 'error',
        subject: 'greeter/project-root',
        message: expect.stringMatching(/^backlog.yaml/),
      },
    ]));
  test('reports a routing rule with an unknown target', () =>
    check({ arrange: (world) => writeIn(world.vault, 'routing.yaml', 'rules:\n  - {id: r1, target: gone}\n') }, [
      { check: 'files', message: expect.stringMatching(/^routing.yaml: The rule "r1" leads/) },
    ]));
  test('reports a knowledge entry that cannot be read', () =>
    check({ arrange: (world) => writeIn(world.vault, 'knowledge/broken.md', '---\ntitle: [\n---\nText.\n') }, [
      { check: 'files', message: expect.stringMatching(/^broken.md/) },
    ]));
  test.each([
    ['gaps', /gap of knowledge/],
    ['ingestion-events', /record of an ingestion/],
    ['knowledge/uses-aside', /use of an entry/],
  ])('reports a damaged file in runtime/%s', (folder, message) =>
    check({ arrange: (world) => writeIn(world.vault, `runtime/${folder}/${ulid}.json`, '{"id":') }, [
      { check: 'files', severity: 'error', message: expect.stringMatching(message) },
    ]),
  );
  test('reports a damaged record of a change of entries until it is removed', () =>
    check({ arrange: (world) => writeIn(world.vault, 'runtime/knowledge/change-damaged-0a.json', '{"title":') }, [
      { check: 'files', severity: 'warning', message: expect.stringMatching(/made in part/) },
    ]));
  const paused = 'cycleRun: {cycles: 3, done: 1, cycleBefore: 0, startedAt: x, paused: true}\n';
  test('mentions a paused run with the command that resumes it', () =>
    check({ arrange: (world) => runState(world, paused) }, [
      { check: 'plans', message: expect.stringContaining('1 of 3 cycles'), fix: expect.stringContaining('--resume') },
    ]));
  test('mentions only the interrupted phase of a paused run, since retrying it resumes the run', () =>
    check(
      {
        arrange: (world) =>
          runState(
            world,
            `interrupted: {phase: work, session: ${ulid}, reason: 'it was late', failed: false, at: x}\n${paused}`,
          ),
      },
      [
        {
          ...{ check: 'plans', severity: 'info', message: 'work did not finish: it was late.' },
          fix: expect.stringContaining('ravel retry greeter/project-root'),
        },
      ],
    ));
  test('shows only the first line of a reason', () =>
    check(
      {
        arrange: (world) =>
          runState(
            world,
            `interrupted: {phase: work, session: ${ulid}, reason: "it said:\\nNo", failed: true, at: x}\n`,
          ),
      },
      [{ check: 'plans', message: 'work did not finish: it said: …' }],
    ));
  test('mentions a phase that is open by hand', () =>
    check(
      {
        arrange: (world) =>
          runState(world, `running: {phase: work, step: session, session: ${ulid}, harness: person, startedAt: x}\n`),
      },
      [{ check: 'plans', severity: 'info', fix: '`ravel run greeter/project-root --by-hand`' }],
    ));
  test('reports an unreadable run state', () =>
    check({ arrange: (world) => runState(world, 'cycle: many\n') }, [{ check: 'plans', severity: 'error' }]));
  test('warns of a live session that belongs to no phase', async () => {
    const child = spawn('sleep', ['60'], { detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    const identity = await createProcesses(nodeDisk).identify(child.pid ?? 0);
    const limits = { timeMs: 1, outputBytes: 1, costUsd: 1, orphanMs: 1, orphanAfterStopMs: 1 };
    const record = { state: 'running', session: ulid, plan: 'p', phase: 'work', harness: 'scripted', limits };
    const host = JSON.stringify({ ...record, startedAt: '2026-01-01T00:00:00.000Z', ...identity });
    const arrange = (world: World) => writeIn(world.vault, `runtime/sessions/${ulid}/host.json`, host);
    await check({ arrange }, [
      { check: 'plans', severity: 'warning', subject: ulid, fix: `\`kill -- -${child.pid}\`` },
    ]);
    const running = `running: {phase: work, step: session, session: ${ulid}, startedAt: x}\n`;
    await check({ arrange: (world) => Promise.all([arrange(world), runState(world, running)]) }, []);
  });
  test('warns of a rendered view with a person’s text in it', () =>
    check({ arrange: (world) => world.writePlan('memory.md', 'My own\n') }, [
      { check: 'views', severity: 'warning', fix: expect.stringMatching(/rm '.*memory\.md'/) },
    ]));
  test('mentions an open approval and reports an unreadable one', () =>
    check(
      {
        arrange: async (world) => {
          const id = ulid.replace('1', '2');
          await writeIn(world.vault, `runtime/approvals/${ulid}.yaml`, 'nonsense: true\n');
          await writeIn(world.vault, `runtime/approvals/${id}.yaml`, question.replace(ulid, id));
        },
      },
      [
        { check: 'approvals', severity: 'error' },
        { check: 'approvals', severity: 'info', message: expect.stringContaining('Which colour?') },
      ],
    ));
  test('does not mention a question that is already decided', () =>
    check(
      {
        arrange: async (world) => {
          await writeIn(world.vault, `runtime/approvals/${ulid}.yaml`, question);
          await writeIn(world.vault, `decisions/${ulid}.yaml`, `${question}decision: reject\nby: ada\nat: today\n`);
        },
      },
      [],
    ));
  test('reports a damaged mailbox by file and line', () =>
    check({ arrange: (world) => writeIn(world.vault, mailbox, 'nonsense\nmore\n') }, [
      {
        ...{ check: 'messages', severity: 'error', subject: 'greeter/project-root' },
        ...{
          message: expect.stringMatching(/Line 1 of .*project-root\.jsonl/),
          fix: expect.stringContaining('revive'),
        },
      },
    ]));
  test('reports a plan that was stopped after crashes and has messages waiting', () =>
    check(
      {
        arrange: async (world) => {
          await writeIn(world.vault, mailbox, encodeRecord(1, { ...message(1), to: toQualifiedId(world.plan) }));
          await writeIn(
            world.vault,
            mailbox.replace('mailboxes', 'plans').replace('.jsonl', '.crashes.json'),
            '[1,2,3]',
          );
        },
      },
      [{ check: 'messages', severity: 'error', message: expect.stringMatching(/crash.* 1 message waits\.$/) }],
    ));
  test('reports unreadable messages that are being routed or sent', () =>
    check(
      {
        async arrange(world) {
          await writeIn(world.vault, `runtime/routing/${ulid}.json`, '{"message":');
          await writeIn(world.vault, `runtime/sending/${ulid}.json`, '{"id":');
        },
      },
      ['routing', 'sending'].map((folder) => ({
        ...{ check: 'messages', severity: 'error', subject: ulid },
        message: expect.stringContaining(`runtime/${folder}/${ulid}.json`),
        fix: expect.stringContaining('remove'),
      })),
    ));
  test('mentions a dead letter and reports an unreadable one', () =>
    check(
      {
        arrange: async (world) => {
          const message = { id: ulid, type: 'note', from: 'person', to: 'greeter/project-root', text: 'Hello' };
          const reason = { code: 'message/crashed', message: 'It crashed.' };
          const counts = { attempts: 2, redelivered: 0, effects: {} };
          const letter = { id: ulid, actor: 'greeter/project-root', message, reason, at: 'today', ...counts };
          const folder = 'runtime/dead-letters/greeter%2Fproject-root';
          await writeIn(world.vault, `${folder}/${ulid}.json`, JSON.stringify(letter));
          await writeIn(world.vault, `${folder}/${ulid.replace('1', '2')}.json`, '{');
        },
      },
      [
        { check: 'messages', severity: 'error' },
        {
          check: 'messages',
          severity: 'warning',
          message: '1 dead letter waits for your decision.',
          fix: '`ravel dead-letters`',
        },
      ],
    ));
});

describe('doctor on the locks of plans', () => {
  const gone = { pid: 2 ** 31 - 1, startTime: 'long ago', bootId: 'before' };

  test('counts those that are held and those that were left', () =>
    check(
      {
        async arrange(world) {
          const holder = await createProcesses(nodeDisk).self();
          await writeIn(world.vault, 'runtime/locks/greeter%2Fproject-root.lock', JSON.stringify(holder));
          await writeIn(world.vault, 'runtime/locks/removed%2Fproject-root.lock', JSON.stringify(gone));
          await writeIn(world.vault, 'runtime/plans/renamed%2Fproject-root.lock.7', JSON.stringify(gone));
        },
      },
      [
        { check: 'stale-files', severity: 'info', message: 'Plans that are being changed just now: 1.' },
        { check: 'stale-files', severity: 'info', message: expect.stringContaining('have ended: 2.') },
      ],
    ));
});

describe('doctor beside an owner', () => {
  test('names the owner and reports a faulted actor', async () => {
    const world = await makeWorld({ settings: scripted });
    await writeIn(world.vault, mailbox, 'nonsense\nmore\n');
    const { core } = await startCore(world);
    const { checks } = await core.api.request('doctor', {});
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'owner', severity: 'ok', message: `Process ${process.pid} owns the vault.` }),
    );
    expect(checks).toContainEqual(
      expect.objectContaining({
        check: 'messages',
        severity: 'error',
        subject: 'greeter/project-root',
        fix: 'repair it, then `ravel revive greeter/project-root`',
      }),
    );
  });
});

describe('the clean request', () => {
  test('lists old files without an owner, but only the owner removes them', async () => {
    const world = await makeWorld({ settings: `${scripted}[retention]\ndays = 0.0000001\nmib = 1\n` });
    const session = (name: string) => `runtime/sessions/${name}/spool`;
    await writeIn(world.vault, session(ulid), 'x');
    await makeOld(join(world.vault, 'runtime/sessions', ulid));
    const local = await openCore(world, { role: 'local' });
    const listed = await local.api.request('clean', { dryRun: true });
    expect(listed).toMatchObject({
      count: 1,
      bytes: 1,
      removed: false,
      sessionFolders: [{ path: `sessions/${ulid}` }],
    });
    const refused = await local.api.request('clean', {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ diagnostic: { code: 'vault/owned' } });
    const { checks } = await local.api.request('doctor', {});
    expect(checks.at(-1)).toMatchObject({ check: 'stale-files', severity: 'info', fix: '`ravel doctor --clean`' });
    await local.stop();
    const { core } = await startCore(world);
    expect(await core.api.request('clean', {})).toMatchObject({ count: 1, removed: true });
    expect(await core.api.request('clean', {})).toMatchObject({ count: 0, sessionFolders: [] });
  });
});

async function makeOld(folder: string): Promise<void> {
  await utimes(join(folder, 'spool'), 1, 1);
  await utimes(folder, 1, 1);
}
