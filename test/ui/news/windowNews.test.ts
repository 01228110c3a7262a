import { expect, onTestFinished, test } from 'vitest';
import { ensureDirectory } from '../../../src/base/files.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { EventBody, RavelEvent } from '../../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { ApprovalRow } from '../../../src/model/requests/approvals.ts';
import { NoticeClaims } from '../../../src/notifications/noticeClaims.ts';
import type { NewsSetting } from '../../../src/ui/news/newsText.ts';
import { WindowNews } from '../../../src/ui/news/windowNews.ts';
import type { Notice } from '../../../src/ui/nextSteps.ts';
import { Observable } from '../../../src/ui/observable.ts';
import { type OpenedVault, VaultLink } from '../../../src/ui/vaultLink.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { createFakeApi } from '../../support/fakeApi.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const plan = toQualifiedId('shop/project-root');
const id = (n: number) => `01M8CD2Z9V22HM1254898EE8${String(n).padStart(2, '0')}` as Ulid;
const question = (n: number): EventBody => ({
  ...{ type: 'approval.opened', approval: id(n), kind: 'needs-input', subject: `Which ${n}?` },
});
const failed = (n: number): EventBody => ({
  ...{ type: 'phase.ended', phase: 'work', end: 'failed', next: 'work', session: id(n), summary: 'It broke.' },
});
const ended: EventBody = { type: 'run.ended', reason: 'the cycle is complete' };

interface Window {
  readonly news: WindowNews;
  readonly shown: Notice[];
  /** Lets time pass, and resolves once what came of it is over. */
  pass(ms: number): Promise<void>;
}

interface Options {
  readonly isFocused?: boolean;
  readonly off?: readonly NewsSetting[];
  /** Plans whose page is visible. */
  readonly visible?: readonly string[];
  readonly state?: OpenedVault['state'];
  readonly quietHours?: string;
}

/** The owner of a vault, and its windows. */
class Vault {
  readonly clock = new ManualClock(new Date(2026, 0, 2, 12).getTime());
  open: ApprovalRow[] = [];
  /** How often it answers no more. */
  failing = 0;
  /** How often it was asked. */
  asked = 0;
  readonly errors: unknown[] = [];
  readonly #claims: NoticeClaims;
  readonly #api = createFakeApi({
    approvals: () => ({ approvals: this.open, diagnostics: [] }),
    claim_notices: async ({ keys }) => {
      this.asked += 1;
      if (this.failing > 0) {
        this.failing -= 1;
        throw new Error('the connection is lost');
      }
      return { keys: await this.#claims.claim(keys) };
    },
  });

  private constructor(claims: NoticeClaims) {
    this.#claims = claims;
  }

  static async make(): Promise<Vault> {
    const layout = new VaultLayout(await makeTemporaryDirectory());
    await ensureDirectory(nodeDisk, layout.runtime);
    return new Vault(new NoticeClaims({ disk: nodeDisk, layout, log: silentLogger }));
  }

  happen(body: EventBody, actor: string = plan): void {
    this.#api.emit({ at: new Date(this.clock.wallMs()).toISOString(), actor, ...body } as RavelEvent);
  }

  async window(options: Options = {}): Promise<Window> {
    const { isFocused = true, off = [], visible = [], state = { kind: 'owner' }, quietHours = '' } = options;
    const shown: Notice[] = [];
    const onError = (error: unknown) => {
      if (this.asked === 0) throw error;
      this.errors.push(error);
    };
    const opened: OpenedVault = {
      ...{ api: this.#api, state, stop: async () => undefined },
      onDidClose: () => undefined,
      onDidDrop: () => undefined,
    };
    const { clock } = this;
    const link = new VaultLink({ vault: '/vault', open: async () => opened, clock, random: () => 0, onError });
    const news = new WindowNews({
      ...{ link: new Observable<VaultLink | undefined>(link, onError), clock, onError },
      isFocused: () => isFocused,
      isWanted: (setting) => !off.includes(setting),
      isVisible: (one) => visible.includes(one.plan ?? ''),
      quietHours: async () => quietHours,
      show: (notice) => void shown.push(notice),
    });
    onTestFinished(() => news.dispose());
    await link.connect();
    const settled = () => Promise.all([news.settled(), this.#claims.settled()]);
    await settled();
    return {
      ...{ news, shown },
      pass: async (ms) => {
        clock.advance(ms);
        await settled();
      },
    };
  }
}

const messages = ({ shown }: Window) => shown.map(({ message }) => message);

test('each kind of thing is shown with the buttons that lead there, and one that turns its kind off', async () => {
  const vault = await Vault.make();
  const window = await vault.window();
  const until = '2026-01-03T00:00:00Z';
  const cases: [EventBody, string, RegExp, string[]][] = [
    [question(1), plan, /^shop has a question for you: Which 1\?$/, ['ravel.openApproval', 'questions']],
    [question(2), 'vault', /^A question for you: Which 2\?$/, ['ravel.openApproval', 'questions']],
    [failed(3), plan, /^shop: work failed. It broke\.$/, ['ravel.openSession', 'ravel.retryPhase', 'failures']],
    [
      { type: 'actor.changed', state: 'faulted', reason: 'three crashes' },
      ...(['expert:tests', /^expert:tests takes in no messages any more: three crashes$/] as const),
      ['ravel.inbox.focus', 'failures'],
    ],
    [ended, plan, /^shop: the run has ended: the cycle is complete\.$/, ['ravel.openPlan', 'runs']],
    [
      { type: 'budget.reached', scope: 'The vault', limitUsd: 1, spentUsd: 1, reservedUsd: 0, until },
      ...([plan, /^The vault has used up today's budget\. No session starts until 2026-01-03/] as const),
      ['ravel.openVaultSettings', 'budgets'],
    ],
  ];
  for (const [event, actor, message, leadsTo] of cases) {
    vault.happen(event, actor);
    await window.pass(10_000);
    const notice = window.shown.at(-1);
    expect(notice?.message).toMatch(message);
    const last = notice?.actions.at(-1);
    expect([...(notice?.actions.slice(0, -1).map(({ command }) => command) ?? []), last?.arguments?.[0]]).toEqual(
      leadsTo,
    );
    expect(last?.command).toBe('ravel.muteNotifications');
  }
  expect(window.shown).toHaveLength(cases.length);
});

test('of two windows the one with the focus shows it, and a window that opens later shows nothing of it again', async () => {
  const vault = await Vault.make();
  const back = await vault.window({ isFocused: false });
  const front = await vault.window();
  vault.happen(question(1));
  await front.pass(1000);
  await back.pass(1000);
  expect([messages(front), messages(back)]).toEqual([['shop has a question for you: Which 1?'], []]);
  vault.open = [row(1), row(2)];
  const reloaded = await vault.window();
  await reloaded.pass(10_000);
  expect(messages(reloaded)).toEqual(['A question for you: Which 2?']);
});

test('what the person has before them in a window with the focus is shown in no window', async () => {
  const vault = await Vault.make();
  const front = await vault.window({ visible: [plan] });
  const back = await vault.window({ isFocused: false, visible: [plan] });
  vault.happen(question(1));
  await front.pass(1000);
  await back.pass(60_000);
  expect([messages(front), messages(back)]).toEqual([[], []]);
});

test('a page that is visible in a window without the focus does not hide what happens', async () => {
  const vault = await Vault.make();
  const window = await vault.window({ isFocused: false, visible: [plan] });
  vault.happen(ended);
  await window.pass(2000);
  expect(window.shown).toHaveLength(1);
});

test('more than three things at once are one notification with their numbers, of one kind with its button', async () => {
  const vault = await Vault.make();
  const window = await vault.window();
  for (const n of [1, 2, 3, 4]) vault.happen(question(n));
  await window.pass(1000);
  for (const n of [5, 6, 7]) vault.happen(question(n));
  vault.happen(failed(8));
  vault.happen(ended);
  await window.pass(10_000);
  expect(messages(window)).toEqual([
    '4 things happened: 4 questions for you.',
    '4 things happened: 3 questions for you, 1 phase not finished.',
  ]);
  expect(window.shown.map(({ actions }) => actions.map(({ command }) => command))).toEqual([
    ['ravel.inbox.focus', 'ravel.muteNotifications'],
    ['ravel.inbox.focus', 'workbench.action.openSettings'],
  ]);
});

test('nothing is shown of a kind that is turned off, of an answered question, or of what the person stopped', async () => {
  const vault = await Vault.make();
  const window = await vault.window({ off: ['failures'] });
  vault.happen(failed(1));
  vault.happen(question(2));
  vault.happen({ type: 'approval.decided', approval: id(2), kind: 'needs-input', decision: 'accept', by: 'Robin' });
  vault.happen({ type: 'session.ended', session: id(3), end: 'stopped', durationMs: 1 });
  vault.happen(ended);
  await window.pass(60_000);
  expect(window.shown).toEqual([]);
});

test('in the quiet hours nothing is shown; afterwards what still waits is', async () => {
  const vault = await Vault.make();
  const window = await vault.window({ quietHours: '11:00-12:10' });
  vault.happen(question(1));
  vault.happen(question(2));
  await window.pass(5 * 60_000);
  vault.happen({ type: 'approval.decided', approval: id(1), kind: 'needs-input', decision: 'accept', by: 'Robin' });
  expect(window.shown).toEqual([]);
  for (let minute = 0; minute < 6; minute++) await window.pass(60_000);
  expect(messages(window)).toEqual(['shop has a question for you: Which 2?']);
});

test('what a run of this window tells by itself is not told again, and its question only if it was not before', async () => {
  const vault = await Vault.make();
  const window = await vault.window();
  const other = await vault.window({ isFocused: false });
  vault.happen(question(1));
  vault.happen(ended);
  expect(await window.news.tellOtherwise(plan, id(1))).toBe(true);
  await window.pass(60_000);
  await other.pass(60_000);
  expect([messages(window), messages(other)]).toEqual([[], []]);
  vault.happen(question(2));
  await window.pass(10_000);
  expect(await window.news.tellOtherwise(plan, id(2))).toBe(false);
  expect(await window.news.tellOtherwise(plan)).toBe(true);
});

test('what an owner could not give out is shown when one can, without what was answered since', async () => {
  const vault = await Vault.make();
  const window = await vault.window();
  vault.failing = 2;
  vault.happen(question(1));
  vault.happen(question(2));
  await window.pass(1000);
  vault.happen({ type: 'approval.decided', approval: id(1), kind: 'needs-input', decision: 'accept', by: 'Robin' });
  for (let n = 0; n < 2; n++) await window.pass(10_000);
  expect([messages(window), vault.errors.length]).toEqual([['shop has a question for you: Which 2?'], 1]);
});

test('an owner that never gives anything out is asked a few times, and again when something happens', async () => {
  const vault = await Vault.make();
  const window = await vault.window();
  vault.failing = 5;
  vault.happen(failed(1));
  for (let minute = 0; minute < 60; minute++) await window.pass(60_000);
  expect([vault.asked, window.shown.length, vault.errors.length]).toEqual([5, 0, 1]);
  vault.happen(failed(2));
  await window.pass(1000);
  expect(window.shown).toHaveLength(2);
});

test('a vault that is only read tells nothing', async () => {
  const vault = await Vault.make();
  vault.open = [row(1)];
  const window = await vault.window({ state: { kind: 'readOnly' } });
  vault.happen(question(2));
  await window.pass(60_000);
  expect(window.shown).toEqual([]);
});

function row(n: number): ApprovalRow {
  return {
    ...{ approval: id(n), kind: 'entry-deletion', subject: `Which ${n}?`, createdAt: '2026-01-02T03:04:05Z' },
    ...{ options: [], decisions: ['accept', 'reject'], contentHash: 'h' },
  };
}
