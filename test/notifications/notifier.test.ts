import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { EventBody, RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type NotifySettings, notifySettingsSchema, type PersonNotification } from '../../src/model/notification.ts';
import { Notifier, type QuestionForPerson } from '../../src/notifications/notifier.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const id = (n: number) => `01M8CD2Z9V22HM1254898EE8${String(n).padStart(2, '0')}` as Ulid;
const minuteMs = 60_000;

interface Told {
  readonly sent: PersonNotification[];
  readonly clock: ManualClock;
  readonly layout: VaultLayout;
  /** Takes an event of a plan. */
  happen(body: EventBody, actor?: string): void;
  /** Moves the clock, and resolves once what was to be told then is told. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly settings?: Partial<NotifySettings>;
  readonly open?: readonly QuestionForPerson[];
  readonly isWatched?: () => boolean;
  readonly problems?: () => readonly string[];
  readonly root?: string;
  readonly clock?: ManualClock;
  readonly warnings?: string[];
}

async function begin(options: Options = {}): Promise<Told> {
  const { open = [], isWatched, problems = () => [], clock = new ManualClock(), warnings } = options;
  const layout = new VaultLayout(options.root ?? (await makeTemporaryDirectory()));
  await ensureDirectory(nodeDisk, layout.runtime);
  const settings = { ...notifySettingsSchema.parse({ desktop: true }), ...options.settings };
  const sent: PersonNotification[] = [];
  const deliver = async (one: PersonNotification) => {
    sent.push(one);
    return problems();
  };
  const log = {
    ...silentLogger,
    warn: (_text: string, fields?: object) => void warnings?.push(JSON.stringify(fields)),
  };
  const notifier = await Notifier.begin({ disk: nodeDisk, clock, layout, log, settings, deliver, isWatched }, open);
  return {
    ...{ sent, clock, layout },
    happen: (body, actor = 'shop/project-root') =>
      notifier.take({ at: new Date(clock.wallMs()).toISOString(), actor, ...body } as RavelEvent),
    async pass(ms) {
      clock.advance(ms);
      await notifier.settled();
    },
    stop: () => notifier.stop(),
  };
}

const question = (n: number): EventBody => ({
  type: 'approval.opened',
  approval: id(n),
  kind: 'needs-input',
  subject: `Which ${n}?`,
});
const failed = (n: number): EventBody => ({
  ...{ type: 'phase.ended', phase: 'work', end: 'failed', next: 'work', session: id(n), summary: 'It broke.\nBadly.' },
});
const titles = (told: Told) => told.sent.map(({ title }) => title);

test('each kind of thing is told with its plan, its id and the command that leads on', async () => {
  const told = await begin();
  const cases: [EventBody, Partial<PersonNotification>][] = [
    [question(1), { kind: 'question', id: id(1), text: 'Which 1?', command: `ravel approvals show ${id(1)}` }],
    [failed(2), { kind: 'phase-failed', id: id(2), text: 'It broke. …', command: 'ravel retry shop/project-root' }],
    [
      { type: 'run.ended', reason: 'the cycle is complete' },
      { kind: 'run-ended', command: 'ravel status shop/project-root' },
    ],
    [
      { type: 'actor.changed', state: 'faulted', reason: 'three crashes' },
      { kind: 'plan-faulted', text: 'three crashes' },
    ],
    [
      { type: 'budget.reached', scope: 'The vault', limitUsd: 1, spentUsd: 1, reservedUsd: 0, until: '2026-01-03' },
      { kind: 'budget', title: "The vault has used up today's budget", command: 'ravel spending' },
    ],
  ];
  for (const [event, expected] of cases) {
    told.happen(event);
    await told.pass(10_000);
    expect(told.sent.at(-1)).toMatchObject(expected);
  }
  expect(told.sent).toHaveLength(cases.length);
});

test('a finished phase, an output and an actor that wakes tell nothing', async () => {
  const told = await begin();
  told.happen({ ...failed(1), end: 'finished' } as EventBody);
  told.happen({ type: 'actor.changed', state: 'active' });
  await told.pass(minuteMs);
  expect(told.sent).toEqual([]);
});

test('nothing is told twice, also not by the next owner; one that ends tells what waits', async () => {
  const root = await makeTemporaryDirectory();
  const first = await begin({ root });
  first.happen(question(1));
  first.happen(question(1));
  await first.pass(1000);
  first.happen(question(1));
  await first.pass(minuteMs);
  first.happen(question(2));
  // The owner ends before the pause between two is over.
  await first.stop();
  expect(first.sent.map((one) => one.id)).toEqual([id(1), id(2)]);
  const open = [1, 2].map((n) => ({ approval: id(n), actor: 'shop/project-root', subject: `Which ${n}?` }));
  const second = await begin({ root, open });
  await second.pass(1000);
  expect(second.sent).toEqual([]);
});

test('the next owner tells what an owner kept that ended in quiet hours', async () => {
  const root = await makeTemporaryDirectory();
  const clock = new ManualClock();
  const hour = (ahead: number) => {
    const at = new Date(clock.wallMs() + ahead * 60 * minuteMs);
    return `${String(at.getHours()).padStart(2, '0')}:00`;
  };
  const quiet = { 'quiet-hours': `${hour(-1)}-${hour(2)}` };
  const first = await begin({ root, clock, settings: quiet });
  first.happen(failed(1));
  await first.stop();
  expect(first.sent).toEqual([]);
  const second = await begin({ root, clock });
  await second.pass(1000);
  expect(second.sent).toMatchObject([{ kind: 'phase-failed', id: id(1) }]);
});

test('a flood is counted whole, though only its end is kept', async () => {
  const told = await begin();
  for (let n = 0; n < 1000; n += 1) told.happen(question(n));
  await told.pass(1000);
  expect(told.sent).toMatchObject([
    { title: '1000 things happened in Ravel', text: '200 questions for you, 800 earlier ones' },
  ]);
});

test('more than three at once become one summary, and a burst waits for the next time', async () => {
  const told = await begin();
  for (let n = 1; n <= 5; n += 1) told.happen(question(n));
  told.happen(failed(6));
  await told.pass(1000);
  expect(told.sent).toMatchObject([
    { kind: 'summary', text: '5 questions for you, 1 phase not finished', command: 'ravel' },
  ]);
  told.happen(question(7));
  await told.pass(1000);
  expect(told.sent).toHaveLength(1);
  await told.pass(9000);
  expect(told.sent).toHaveLength(2);
});

test('the end of a run goes without saying beside what stopped it, and what a person stopped is not told', async () => {
  const told = await begin();
  told.happen(failed(1));
  told.happen({ type: 'run.ended', reason: 'work failed' });
  await told.pass(1000);
  expect(told.sent.map(({ kind }) => kind)).toEqual(['phase-failed']);
  told.happen({ type: 'session.ended', session: id(2), end: 'stopped', durationMs: 1 });
  told.happen({ ...failed(2), end: 'interrupted' } as EventBody);
  told.happen({ type: 'run.ended', reason: 'stopped' });
  await told.pass(minuteMs);
  expect(told.sent).toHaveLength(1);
});

test('a question that was answered before it is told is not told', async () => {
  const told = await begin();
  told.happen(question(1));
  told.happen({ type: 'approval.decided', approval: id(1), kind: 'needs-input', decision: 'accept', by: 'me' });
  await told.pass(minuteMs);
  expect(told.sent).toEqual([]);
});

test('in quiet hours everything waits, also over a restart, and is told in the morning', async () => {
  const root = await makeTemporaryDirectory();
  const evening = new ManualClock(new Date(2026, 0, 2, 23, 30).getTime());
  const settings = { 'quiet-hours': '22:00-07:00' };
  const told = await begin({ root, settings, clock: evening });
  told.happen({ type: 'run.ended', reason: 'the cycle is complete' });
  await told.pass(minuteMs);
  expect(told.sent).toEqual([]);
  await told.stop();
  const morning = new ManualClock(new Date(2026, 0, 3, 6, 58).getTime());
  const next = await begin({ root, settings, clock: morning });
  await next.pass(1000);
  expect(next.sent).toEqual([]);
  await next.pass(2 * minuteMs);
  expect(titles(next)).toEqual(['The run of shop/project-root has ended']);
});

test('while the person has a window of Ravel before them nothing is told, then or later', async () => {
  let isFocused = true;
  const told = await begin({ isWatched: () => isFocused });
  told.happen(question(1));
  await told.pass(1000);
  isFocused = false;
  told.happen(question(2));
  await told.pass(minuteMs);
  expect(told.sent.map((one) => one.id)).toEqual([id(2)]);
});

test('kinds that are left out are not told', async () => {
  const told = await begin({ settings: { kinds: ['budget'] } });
  told.happen(question(1));
  await told.pass(minuteMs);
  expect(told.sent).toEqual([]);
});

test('a plan that is faulted again after it was revived is told again', async () => {
  const told = await begin();
  const faulted: EventBody = { type: 'actor.changed', state: 'faulted', reason: 'three crashes' };
  told.happen(faulted);
  await told.pass(minuteMs);
  told.happen(faulted);
  await told.pass(minuteMs);
  expect(told.sent).toHaveLength(1);
  told.happen({ type: 'actor.changed', state: 'active' });
  told.happen(faulted);
  await told.pass(minuteMs);
  expect(told.sent).toHaveLength(2);
});

test('a program that fails is in the log once, and on disk for the doctor until one is sent', async () => {
  const warnings: string[] = [];
  let problem: readonly string[] = ['beep ended with code 1.'];
  const told = await begin({ problems: () => problem, warnings });
  for (const n of [1, 2]) {
    told.happen(question(n));
    await told.pass(minuteMs);
  }
  expect(warnings).toEqual(['{"problem":"beep ended with code 1."}']);
  const saved = async () => JSON.parse(await readFile(told.layout.notifications, 'utf8'));
  expect(await saved()).toMatchObject({ problem: { message: 'beep ended with code 1.' } });
  problem = [];
  told.happen(question(3));
  await told.pass(minuteMs);
  expect(await saved()).not.toHaveProperty('problem');
});

test.each([
  ['is cut short', '{"told": 3'],
  ['is not UTF-8', Buffer.from([0xff, 0xfe])],
])('a file of marks that %s counts as empty', async (_what, content) => {
  const root = await makeTemporaryDirectory();
  const { layout } = await begin({ root });
  await writeFile(layout.notifications, content);
  const told = await begin({ root });
  told.happen(question(1));
  await told.pass(1000);
  expect(told.sent).toHaveLength(1);
});

test('what could not be marked as told is told once it can be, and once', async () => {
  const warnings: string[] = [];
  const told = await begin({ warnings });
  await mkdir(told.layout.notifications);
  told.happen(question(1));
  await told.pass(1000);
  await told.pass(10_000);
  expect([told.sent.length, warnings.length]).toEqual([0, 1]);
  await rmdir(told.layout.notifications);
  for (let minute = 0; minute < 3; minute++) await told.pass(minuteMs);
  expect(titles(told)).toEqual(['shop/project-root has a question for you']);
});
