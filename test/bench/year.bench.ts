import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTimestamp } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { ensureDirectory, walkFiles } from '../../src/base/files.ts';
import { createDividedJournal } from '../../src/base/journalParts.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { SerialQueue } from '../../src/base/semaphore.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createGit } from '../../src/git/git.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { createChores } from '../../src/housekeeping/chores.ts';
import { Housekeeper } from '../../src/housekeeping/housekeeper.ts';
import type { Approval } from '../../src/model/approval.ts';
import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import { settingsSchema } from '../../src/model/settings.ts';
import { commitUncommittedDecisions } from '../../src/plans/approvals/decisionCommits.ts';
import { recordDecision } from '../../src/plans/approvals/decisions.ts';
import { rotateSessionLog } from '../../src/plans/commits/rotateSessionLog.ts';
import { Spending } from '../../src/plans/phases/spending.ts';
import { PlanDirectory } from '../../src/plans/planDirectory.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { saveAnswer } from '../../src/questions/answers.ts';
import { RoutingHistory } from '../../src/routing/history/routingHistory.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { ManualClock } from '../support/manualClock.ts';
import { openCore } from '../support/openCore.ts';
import { decision } from '../support/routingRecords.ts';
import { type Bench, type BenchRow, median, processorMs, round, sized } from './bench.ts';

const dayMs = 24 * 60 * 60_000;
const quarterDays = sized(91, 3);
const sessionsADay = sized(100, 5);
const messagesADay = sized(20, 5);
/** Of people, and of plans that were asked. */
const answersADay = sized(5, 2);
/** A git for each day of a year would take longer than all the rest. */
const commitEveryDays = 7;
/**
 * A tenth of 2 MB, and of the room that sessions have by default; records and messages are scaled alike, and of every
 * tenth session the phase is in the history.
 */
const sessionBytes = 200_000;
const roomMib = sized(102, 1);
const retentionDays = sized(30, 1);
const startsEach = sized(9, 1);
/** A record of a year is kept, and it may be so much of what sessions take. */
const diskMax = 1.15;
const startMax = 1.5;
const memoryMax = 1.5;

interface Quarter {
  /** Without the history of git. */
  readonly bytes: number;
  readonly gitBytes: number;
  /** Processor time, which other programs on the machine do not change. */
  readonly startMs: number;
  /** What an owner keeps that was asked for its newest records. */
  readonly memoryMib: number;
}

/** Nothing is read after a power cut here, and 100,000 syncs would be most of the time. */
const unsynced: Disk = {
  ...nodeDisk,
  syncDirectory: () => Promise.resolve(),
  async open(path, mode, permissions) {
    const file = await nodeDisk.open(path, mode, permissions);
    return {
      read: (buffer, position) => file.read(buffer, position),
      write: (data) => file.write(data),
      sync: () => Promise.resolve(),
      truncate: (length) => file.truncate(length),
      size: () => file.size(),
      close: () => file.close(),
    };
  },
};

/**
 * A year of sessions, messages, decisions and answers of one plan, file by file, with the owner's daily run at the end of
 * each day.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const vault = writeLargeVault(root, { plans: 1, projects: 1 });
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const services = servicesOf(vault, clock);
    mkdirSync(services.layout.plans, { recursive: true });
    writeFileSync(join(vault, '.gitignore'), 'runtime/\nprojects/\n');
    execFileSync('git', ['init', '--quiet', vault]);
    const quarters: Quarter[] = [];
    // The first start also loads the code.
    await look(root, vault, clock);
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let day = 0; day < quarterDays; day++) {
        const commit = day % commitEveryDays === 0 ? 'auto' : 'never';
        const settings = { ...services.settings, vault: { ...services.settings.vault, commit } } as const;
        await liveADay({ ...services, settings }, clock);
      }
      quarters.push(await look(root, vault, clock));
    }
    return toRow(quarters);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As many of them as the day needs. */
function servicesOf(vault: string, clock: ManualClock): PlanServices {
  const layout = new VaultLayout(vault);
  const settings = settingsSchema.parse({ retention: { days: retentionDays, mib: roomMib } });
  const ports = { disk: unsynced, clock, processes: createProcesses(nodeDisk), layout, settings, log: silentLogger };
  const git = createGit({ environment: { PATH: process.env['PATH'] ?? '' }, clock, disk: nodeDisk });
  const alone = { lockQueues: new LockQueues(), vaultCommits: new SerialQueue(), person: 'ada' };
  return { ...ports, ...alone, git, emit: () => undefined } as unknown as PlanServices;
}

async function liveADay(services: PlanServices, clock: ManualClock): Promise<void> {
  const { layout } = services;
  const nextUlid = createUlids(clock);
  const directory = new PlanDirectory(nodeDisk, layout);
  const [plan] = (await directory.all()).plans;
  if (plan === undefined) throw new Error('the vault has no plan');
  const spending = new Spending(services);
  for (let n = 0; n < sessionsADay; n++) {
    clock.advance(dayMs / sessionsADay);
    const session = nextUlid() as Ulid;
    const folder = layout.session(session);
    mkdirSync(folder, { recursive: true });
    writeFileSync(layout.transcript(session), Buffer.alloc(sessionBytes));
    for (const path of [layout.transcript(session), folder])
      utimesSync(path, clock.wallMs() / 1000, clock.wallMs() / 1000);
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.1 };
    await spending.book({ plan: plan.id, session, phase: 'work' }, usage, 'opus');
    addToList(join(plan.directory, 'session-log.yaml'), 'sessions', {
      ...{ id: session, timestamp: formatTimestamp(clock.wallMs()), phase: 'work', body: 'It works.'.repeat(10) },
    });
    await rotateSessionLog(services, plan.id);
  }
  await spending.stop();
  for (let n = 0; n < messagesADay; n++) {
    addToList(join(plan.directory, 'backlog.yaml'), 'received', {
      ...{ id: `note-${nextUlid()}`, from: 'person', at: formatTimestamp(clock.wallMs()), reason: 'Why' },
      ...{ body: 'Mind the cat. '.repeat(10), state: 'declined', declined_reason: 'No' },
    });
  }
  await keepRecords(services, plan.id, () => nextUlid() as Ulid);
  await commitUncommittedDecisions(services);
  const chores = createChores(services, directory, () => false);
  await new Housekeeper({ services, isIdle: () => true, chores }).runIfDue();
}

/** What a day leaves in the histories, in `decisions/` and in `answers/`. */
async function keepRecords(services: PlanServices, plan: QualifiedId, nextUlid: () => Ulid): Promise<void> {
  const { disk, layout, clock } = services;
  const at = formatTimestamp(clock.wallMs());
  const routed = new RoutingHistory({ disk, path: layout.routingHistory });
  const about = { at, to: plan, body: 'Mind the cat. '.repeat(10), facts: ['cat'], from: plan };
  await Promise.all(Array.from({ length: messagesADay }, () => routed.append(decision(nextUlid(), about))));
  await routed.stop();

  await ensureDirectory(disk, layout.histories);
  const ended = createDividedJournal(disk, layout.history(plan));
  const cycle = 1 + Math.floor((clock.wallMs() - Date.UTC(2026, 0, 1)) / dayMs);
  for (let n = 0; n < sessionsADay / 10; n++) {
    const of = { phase: 'work', session: nextUlid(), end: 'finished', summary: 'It works.'.repeat(10), cycle };
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await ended.append({ ...of, startedAt: at, endedAt: at, harness: 'claude-code', model: 'opus', usage, usd: 0.1 });
  }
  await ended.append({
    phase: 'git-commit-triage',
    session: nextUlid(),
    end: 'finished',
    summary: '',
    endedAt: at,
    cycle,
  });
  await ended.close();

  for (let n = 0; n < answersADay; n++) {
    const asked = { id: nextUlid(), createdAt: at, contentHash: 'x'.repeat(64), plan, session: nextUlid() };
    const shown = { subject: 'Which?', options: [], details: { question: 'Which colour?' } };
    await recordDecision(services, { ...asked, kind: 'needs-input', ...shown } as Approval, { decision: 'accept' });
    const said = { question: 'Who feeds the cat?', from: 'person', text: 'Ada does.', citations: [] } as const;
    await saveAnswer(services, { query: nextUlid(), by: plan, at, state: 'answered', ...said });
  }
}

/** One more item at the end of a file whose last list this is. */
function addToList(path: string, key: string, record: Readonly<Record<string, string>>): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const text = before.replace(new RegExp(`^${key}: \\[\\]\n`, 'm'), `${key}:\n`);
  const list = new RegExp(`^${key}:$`, 'm').test(text) ? text : `${text}${key}:\n`;
  const lines = Object.entries(record).map(
    ([name, value], n) => `${n === 0 ? '- ' : '  '}${name}: ${JSON.stringify(value)}\n`,
  );
  writeFileSync(path, list + lines.join(''));
}

async function look(root: string, vault: string, clock: ManualClock): Promise<Quarter> {
  let [bytes, gitBytes] = [0, 0];
  for (const file of await walkFiles(nodeDisk, root)) {
    const { size } = await nodeDisk.lstat(join(root, file));
    if (file.startsWith('vault/.git/')) gitBytes += size;
    else bytes += size;
  }
  const starts: number[] = [];
  const memories: number[] = [];
  for (let n = 0; n < startsEach; n++) {
    globalThis.gc?.();
    const beforeMs = processorMs();
    const core = await openCore(
      { vault, environment: {} },
      { packageRoot: process.cwd(), sessions: 'processes', clock },
    );
    const { api } = core;
    await api.request('spending', {});
    starts.push(processorMs() - beforeMs);
    await api.request('history', { plan: 'p0/project-root' });
    await api.request('routes', { limit: 20 });
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    memories.push((heapUsed + arrayBuffers) / 1024 / 1024);
    await core.stop();
  }
  return { bytes, gitBytes, startMs: median(starts), memoryMib: median(memories) };
}

function toRow(quarters: readonly Quarter[]): BenchRow {
  const [first, ...later] = quarters;
  if (first === undefined) throw new Error('there was no quarter');
  const ratios = (of: (quarter: Quarter) => number) => later.map((quarter) => round(of(quarter) / of(first), 2));
  const disk = ratios(({ bytes }) => bytes);
  const start = ratios(({ startMs }) => startMs);
  const memory = ratios(({ memoryMib }) => memoryMib);
  const git = quarters.map(({ gitBytes }) => round(gitBytes / 1024 / 1024, 1));
  const worst = Math.max(...disk);
  const small = (values: readonly number[]) => values.join(', ');
  return {
    id: 'year',
    value: worst,
    unit: 'ratio',
    goal: `disk at most ${diskMax}, start ${startMax} and memory ${memoryMax} times the first quarter's`,
    ok: worst <= diskMax && Math.max(...start) <= startMax && Math.max(...memory) <= memoryMax,
    limit: 1,
    note:
      `${sessionsADay} sessions, ${messagesADay} messages and ${2 * answersADay} answers a day, a tenth of their real size; quarters 2 to 4 by the first: ` +
      `disk ${small(disk)} (${round(first.bytes / 1024 / 1024, 1)} MiB), start ${small(start)} (${round(first.startMs, 0)} ms of a processor), ` +
      `memory ${small(memory)} (${round(first.memoryMib, 1)} MiB); the vault's git, which keeps all that was decided, ` +
      `is not judged: ${small(git)} MiB`,
  };
}

export const benches: readonly Bench[] = [{ id: 'year', run }];
