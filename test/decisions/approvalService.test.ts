import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ApprovalKind, Decision } from '../../src/model/approval.ts';
import { type QualifiedId, segmentFromId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { contentHashOf } from '../../src/plans/approvals/approvals.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { openCore } from '../support/openCore.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeWorld, type World } from '../support/world.ts';

/** These approvals were left by an owner that died, so no session waits for them in this process. */
const ids = ['01M7X4TZFWPVQT6PFG4SYTM4B0', '01M7X4TZFWPVQT6PFG4SYTM4B1', '01M7X4TZFWPVQT6PFG4SYTM4B2'] as Ulid[];
const [session, other, id] = ids as [Ulid, Ulid, Ulid];

interface Left {
  readonly id?: Ulid;
  readonly kind: ApprovalKind;
  readonly plan?: QualifiedId;
  readonly createdAt?: string;
}

function fileOf(world: World, approval: Ulid = id): string {
  return join(world.vault, 'runtime/approvals', `${approval}.yaml`);
}

/** Writes a question to the disk as a session would have asked it. */
async function leave(world: World, { id: name = id, kind, plan, createdAt }: Left): Promise<void> {
  const details = kind === 'tool-request' ? { tool_name: 'Bash', input: { command: 'frobnicate' } } : { question: '?' };
  const about = { kind, plan: plan ?? toQualifiedId(world.plan), session };
  const request = { ...about, subject: 'Which?', options: [], details };
  const asked = { id: name, createdAt: createdAt ?? '2026-01-02T03:04:05Z', contentHash: contentHashOf(request) };
  await mkdir(join(world.vault, 'runtime/approvals'), { recursive: true });
  await writeFile(fileOf(world, name), formatYaml({ ...asked, ...request }));
}

/** Writes the decision to the disk without any of its effects. */
async function decide(world: World): Promise<void> {
  const said: Pick<Decision, 'decision' | 'by' | 'at'> = { decision: 'accept', by: 'ada', at: '2026-01-02T03:05:00Z' };
  const asked = await readFile(fileOf(world), 'utf8');
  await writeFile(join(world.vault, 'decisions', `${id}.yaml`), asked + formatYaml(said));
}

const runState = (world: World, text: string, plan = toQualifiedId(world.plan)) =>
  writeFile(join(world.vault, 'runtime/plans', `${segmentFromId(plan)}.yaml`), text);

describe('the approval service at a start', () => {
  async function restart(world: World) {
    const core = await openCore(world);
    onTestFinished(() => core.stop());
    return core;
  }

  test('withdraws a question that no phase waits for', async () => {
    const world = await makeWorld();
    await leave(world, { kind: 'needs-input' });
    await restart(world);
    expect(existsSync(fileOf(world))).toBe(false);
  });

  test('keeps a question that is asked during the start, because its phase may wait for it a moment later', async () => {
    const world = await makeWorld();
    await runState(world, `interrupted: {phase: work, session: ${other}, reason: x, failed: false, at: x}\n`);
    let asked: Promise<void> | undefined;
    // Like a reattached session that ends at once: its run state is read, and then it asks.
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'readEach' && path.endsWith('greeter%2Fproject-root.yaml') && asked === undefined) {
        asked = leave(world, { kind: 'needs-input' });
        return asked;
      }
      return undefined;
    });
    const core = await openCore(world, { disk });
    onTestFinished(() => core.stop());
    expect(asked).toBeDefined();
    expect(existsSync(fileOf(world))).toBe(true);
  });

  test.each([
    ['a session that has ended', '', '{}\n'],
    [
      'a session whose plan is gone',
      '/gone',
      `running: {phase: work, step: session, session: ${session}, startedAt: x}\n`,
    ],
  ])('withdraws a tool request of %s', async (_whose, below, state) => {
    const world = await makeWorld();
    const plan = toQualifiedId(`${world.plan}${below}`);
    await leave(world, { kind: 'tool-request', plan });
    await runState(world, state, plan);
    await restart(world);
    expect(existsSync(fileOf(world))).toBe(false);
  });

  test('keeps what was granted to an ended session for its retry', async () => {
    const world = await makeWorld();
    await leave(world, { kind: 'tool-request' });
    await decide(world);
    await restart(world);
    expect(existsSync(fileOf(world))).toBe(false);
    expect(existsSync(join(world.vault, 'runtime/grants/greeter%2Fproject-root'))).toBe(true);
    expect(await world.git('-C', world.vault, 'status', '--porcelain', '--', 'decisions')).toBe('');
  });
});

test('a decision whose owner died right before committing it is committed at the next start', async () => {
  const world = await makeWorld();
  await leave(world, { kind: 'needs-input' });
  await decide(world);
  await rm(fileOf(world));
  const core = await openCore(world);
  onTestFinished(() => core.stop());
  expect(await world.git('-C', world.vault, 'status', '--porcelain', '--', 'decisions')).toBe('');
  expect(await world.git('-C', world.vault, 'log', '-1', '--format=%s')).toContain('Record a decision: needs-input');
});

test('open approvals are listed oldest first, regardless of their ids', async () => {
  const world = await makeWorld();
  const at = (minute: number) => `2026-01-02T03:0${minute}:05Z`;
  for (const [n, name] of ids.entries()) {
    await leave(world, { id: name, kind: 'tool-request', createdAt: at(n === 0 ? 2 : 1) });
  }
  const core = await openCore(world, { role: 'local' });
  onTestFinished(() => core.stop());
  const { approvals } = await core.api.request('approvals', {});
  expect(approvals.map(({ approval }) => approval)).toEqual([other, id, session]);
});
