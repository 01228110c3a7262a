import { expect, onTestFinished, test } from 'vitest';
import type { RavelEvent } from '../../../src/model/event.ts';
import type { ApprovalRow } from '../../../src/model/requests/approvals.ts';
import type { SuggestionRow } from '../../../src/model/requests/routing.ts';
import { Observable } from '../../../src/ui/observable.ts';
import { RuleReview } from '../../../src/ui/routing/ruleReview.ts';
import type { VaultLink } from '../../../src/ui/vaultLink.ts';
import { makeSuggestion } from '../../editor/support/routingSamples.ts';
import { Collector } from '../../support/fakeApi.ts';
import { makeModel } from '../../support/fakeModel.ts';

const question = {
  approval: '01',
  kind: 'rule-suggestion',
  createdAt: '2026-01-02T03:04:05Z',
} as unknown as ApprovalRow;

/** A review of a vault with these suggestions; its requests are counted. */
async function makeReview(suggested: { rows: readonly SuggestionRow[] }) {
  const world = await makeModel(['shop'], {
    approvals: () => ({ approvals: suggested.rows.map(() => question), diagnostics: [] }),
    suggestions: () => ({ suggestions: suggested.rows, file: '/vault/routing.yaml' }),
    rules: () => ({
      file: '/vault/routing.yaml',
      rules: [{ id: 'one', target: 'shop', enabled: true, fired: 3 }],
      diagnostics: [],
    }),
  });
  const { model, clock, link, api } = world;
  const log = { debug: () => undefined } as never;
  const onError = (error: unknown) => void world.errors.push(error);
  const shown = new Observable<VaultLink | undefined>(link, onError);
  const review = new RuleReview({ link: shown, model, clock, onError, log });
  onTestFinished(() => review.dispose());
  const changes = new Collector<true>();
  review.onDidChange(() => changes.add(true));
  return {
    ...world,
    ...{ review, shown },
    asked: (name: string) => api.requested.filter((one) => one === name).length,
    /** Advances the clock and waits for the next change of the review. */
    async next() {
      const { length } = changes.values;
      clock.advance(200);
      await changes.waitFor(length + 1);
    },
  };
}

const changed = (file: string): RavelEvent => ({ at: '', actor: 'vault', type: 'vault.changed', files: [file] });

test('a review without suggestions requests nothing', async () => {
  const world = await makeReview({ rows: [] });
  world.api.emit(changed('routing.yaml'));
  world.clock.advance(1000);
  expect(world.review.file).toBe('/vault/routing.yaml');
  expect([world.asked('suggestions'), world.asked('rules')]).toEqual([0, 0]);
});

test('suggestions are sorted by place, and read again when the rules change', async () => {
  const suggested = { rows: [{ ...makeSuggestion(1), place: { index: 2, line: 9 } }, makeSuggestion(2)] };
  const world = await makeReview(suggested);
  await world.next();
  expect(world.review.suggestions.map(({ contentHash }) => contentHash)).toEqual(['h2', 'h1']);
  world.api.emit(changed('projects.yaml'));
  world.clock.advance(1000);
  expect(world.asked('suggestions')).toBe(1);
  suggested.rows = [makeSuggestion(3)];
  world.api.emit(changed('routing.yaml'));
  await world.next();
  expect(world.review.suggestions.map(({ contentHash }) => contentHash)).toEqual(['h3']);
  expect(world.review.suggestion(makeSuggestion(1).approval)).toBeUndefined();
  expect(world.asked('rules')).toBe(0);
});

test('rules are read only while they are shown', async () => {
  const world = await makeReview({ rows: [] });
  world.review.wantRules(true);
  await world.next();
  expect(world.review.rules).toMatchObject([{ id: 'one', fired: 3 }]);
  world.review.wantRules(false);
  world.api.emit(changed('routing.yaml'));
  world.clock.advance(1000);
  expect(world.asked('rules')).toBe(1);
});

test('a window without a vault shows no suggestions', async () => {
  const world = await makeReview({ rows: [makeSuggestion(1)] });
  await world.next();
  world.shown.set(undefined);
  expect([world.review.suggestions, world.review.file]).toEqual([[], undefined]);
});
