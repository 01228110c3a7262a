import { expect, test } from 'vitest';
import type { EntryUse } from '../../../src/knowledge/uses/entryUse.ts';
import { UseFold } from '../../../src/knowledge/uses/foldUses.ts';

function use(id: string, rest: Partial<EntryUse> = {}): EntryUse {
  return { use: id, kind: 'cited', entries: ['e'], at: '2026-11-20T08:00:00Z', ...rest };
}

function foldOf(...uses: readonly EntryUse[]): UseFold {
  const fold = new UseFold();
  for (const one of uses) fold.add(one);
  return fold;
}

test('what was shown counts nothing, a citation and an opening one, what was confirmed three', () => {
  const fold = foldOf(
    use('1', { kind: 'shown', session: 's1' }),
    use('2', { session: 's2', project: 'Shop' }),
    use('3', { kind: 'opened', at: '2026-11-21T08:00:00Z' }),
    use('4', { kind: 'confirmed', session: 's2', at: '2026-11-19T08:00:00Z' }),
  );
  expect(fold.of(['e'])).toEqual({
    ...{ shown: 1, cited: 1, opened: 1, confirmed: 1, weight: 5 },
    ...{ first: '2026-11-19T08:00:00Z', last: '2026-11-21T08:00:00Z', sessions: ['s2'], projects: ['Shop'] },
  });
  expect(fold.of(['other'])).toBeUndefined();
});

test('a use that is recorded again counts once, and so does an entry that it names twice', () => {
  expect(foldOf(use('1', { entries: ['e', 'e'] }), use('1')).of(['e'])).toMatchObject({ cited: 1, weight: 1 });
});

test('uses under the path of an entry and under the id that it was given later are summed', () => {
  const path = 'knowledge/tools/git.md';
  const fold = foldOf(
    use('1', { entries: [path], at: '2026-11-19T08:00:00Z', session: 's1', project: 'Shop' }),
    use('2', { entries: [path], kind: 'opened', session: 's2' }),
    use('3', { kind: 'confirmed', at: '2026-11-22T08:00:00Z', session: 's1', project: 'Till' }),
    use('4', { entries: ['f'] }),
  );
  const sums = {
    ...{ shown: 0, cited: 1, opened: 1, confirmed: 1, weight: 5 },
    ...{ first: '2026-11-19T08:00:00Z', last: '2026-11-22T08:00:00Z', projects: ['Till', 'Shop'] },
  };
  expect(fold.of(['e', path])).toEqual({ ...sums, sessions: ['s1', 's2'] });
  expect(fold.of(['e', path, 'e'])).toEqual(fold.of(['e', path]));
  expect(fold.of(['never', path])).toMatchObject({ cited: 1, opened: 1, confirmed: 0 });
});

test('sessions of one schedule count once a day', () => {
  const nightly = { schedule: 'nightly' };
  const fold = foldOf(
    use('1', nightly),
    use('2', { ...nightly, at: '2026-11-20T20:00:00Z' }),
    use('3', { ...nightly, at: '2026-11-21T08:00:00Z' }),
    use('4', { schedule: 'weekly' }),
    use('5', { ...nightly, kind: 'confirmed' }),
  );
  expect(fold.of(['e'])).toMatchObject({ cited: 3, confirmed: 1, weight: 6 });
});

test('the sums of a fold say the same as its uses, also for what comes after', () => {
  const uses = [use('1'), use('2', { kind: 'opened' }), use('3', { schedule: 'nightly', entries: ['e', 'f'] })];
  const later = [use('2', { kind: 'opened' }), use('4', { schedule: 'nightly' }), use('5', { entries: ['f'] })];
  const carried = new UseFold();
  carried.add(JSON.parse(JSON.stringify(foldOf(...uses).carried())));
  for (const one of later) carried.add(one);
  const whole = foldOf(...uses, ...later);
  expect(carried.carried()).toEqual(whole.carried());
  expect(whole.of(['e'])).toMatchObject({ cited: 2, opened: 1 });
});

test('a fold remembers the last ten thousand uses, and fifty sessions of an entry', () => {
  const fold = new UseFold();
  for (let n = 0; n < 10_100; n++) fold.add(use(`u${n}`, { session: `s${n}` }));
  expect(fold.carried().known).toHaveLength(10_000);
  expect([fold.has('u99'), fold.has('u100')]).toEqual([false, true]);
  expect(fold.of(['e'])?.sessions).toHaveLength(50);
});
