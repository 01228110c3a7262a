import { expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { SessionRow } from '../../../src/model/requests/sessions.ts';
import { formatWhen, sessionEntries } from '../../../src/ui/trees/sessionRows.ts';
import { id, outlineWith } from '../../support/fakeModel.ts';

const [one, two, three] = ['S1', 'S2', 'S3'].map((end) => `01HZY0000000000000000000${end}` as Ulid) as [
  Ulid,
  Ulid,
  Ulid,
];
const now = new Date(2026, 0, 2, 12, 0).getTime();
const at = (hour: number) => new Date(2026, 0, 2, hour, 4).toISOString();

const past: SessionRow = {
  session: one,
  plan: id('shop'),
  phase: 'reflect',
  startedAt: at(3),
  harness: 'scripted',
  ended: { end: 'failed', at: at(4), summary: '<b>It\u202e failed' },
  usd: 0.5,
};

test('running sessions come first, and each session is listed once', () => {
  const outline = outlineWith({
    shop: {},
    'shop/cart': { running: { session: two, phase: 'work', manual: true, task: 'a' } },
  });
  const entries = sessionEntries(
    outline,
    [{ ...past, session: two, startedAt: at(9) }, past, { ...past, session: three, usd: 0 }],
    { wallMs: now },
  );
  expect(entries.map(({ session }) => session)).toEqual([two, one, three]);
  expect(entries[0]?.row).toMatchObject({
    label: 'work · shop/cart',
    description: 'open by hand · since 09:04 · a',
    contextValue: 'session.live.manual',
    command: { command: 'ravel.openSession', arguments: [two, id('shop/cart')] },
  });
  expect(entries[1]?.row).toMatchObject({
    label: 'reflect · shop',
    description: 'failed · $0.50 · 04:04',
    contextValue: 'session',
  });
  expect(entries[1]?.tooltip).not.toMatch(/<b>|\u202e/);
  expect(entries[2]?.row.description).toBe('failed · 04:04');
});

test('a session without a recorded end says so', () => {
  const { ended: _, ...lost } = past;
  const [entry] = sessionEntries(outlineWith({ shop: {} }), [lost], { wallMs: now });
  expect(entry?.row.description).toBe('end unknown · $0.50 · 03:04');
});

test.each([
  [at(7), '07:04'],
  [new Date(2025, 11, 31, 7, 4).toISOString(), '2025-12-31 07:04'],
  ['no time', 'no time'],
])('formatWhen(%j) is %s', (time, shown) => {
  expect(formatWhen(time, now)).toBe(shown);
});

test('a consultation is listed with the sessions of its plan; one without a plan is not listed', () => {
  const asked = { session: one, phase: 'answer', startedAt: at(3) } as const;
  const rowOf = (row: SessionRow) => sessionEntries(outlineWith({ shop: {} }), [row], { wallMs: now })[0]?.row;
  expect(rowOf({ ...asked, plan: id('shop'), running: true })).toMatchObject({
    label: 'answer · shop',
    description: 'running · 03:04',
    icon: { name: 'sync~spin' },
  });
  expect(rowOf({ ...asked, plan: id('shop') })?.description).toBe('end unknown · 03:04');
  expect(rowOf(asked)).toBeUndefined();
});
