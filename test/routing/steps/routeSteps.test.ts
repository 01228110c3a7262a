import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import {
  afterAnswer,
  attemptsMax,
  nextMove,
  type PendingRoute,
  type RouteSessionAnswer,
  wholeVault,
  withSession,
} from '../../../src/routing/steps/routeSteps.ts';

const id = '01HZY0000000000000000000M1' as Ulid;
const plan = toQualifiedId('A/project-root');

const fresh: PendingRoute = {
  message: { id, type: 'dispatch', from: plan, target: { kind: 'auto' }, reason: '', body: 'b', depth: 0, origin: id },
  ...{ at: '2026-01-02T03:04:05Z', facts: [], extractor: 'none', rules: [], candidates: [], scope: wholeVault },
  ...{ consulted: [], turnedAway: [], retargets: 0, suggestions: [] },
};

const project = fc.constantFrom('A', 'B', 'C', 'D', 'E');
const answer: fc.Arbitrary<RouteSessionAnswer> = fc.oneof(
  fc.record({
    kind: fc.constant('accept' as const),
    target: fc.constant(plan),
    justification: fc.string(),
    isChecked: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('reject' as const), reason: fc.string(), retarget: project }),
  fc.record({ kind: fc.constant('reject' as const), reason: fc.string() }),
  fc.record({ kind: fc.constant('none' as const), why: fc.string() }),
);

test('every sequence of answers comes to an end and asks no scope twice', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 20 }), fc.nat({ max: 4 }), (answers, retargets) => {
      let pending = fresh;
      const asked: string[] = [];
      for (const said of answers) {
        const move = nextMove(pending);
        if (move.kind !== 'ask') break;
        asked.push(move.scope);
        pending = afterAnswer(
          withSession(pending, 'route', id),
          { consulted: [], answer: said, suggestions: [] },
          { retargets },
        );
        expect(pending.asking).toBeUndefined();
      }
      expect(asked.length).toBeLessThanOrEqual(retargets + 1);
      expect(new Set(asked).size).toBe(asked.length);
      const last = answers[asked.length - 1];
      const move = nextMove(pending);
      if (last?.kind === 'accept') expect(move).toMatchObject({ kind: 'finish', verdict: { to: plan } });
      if (last?.kind === 'none') expect(move.kind).toBe('askPerson');
      if (asked.length < answers.length) expect(move.kind).not.toBe('ask');
    }),
  );
});

test('after three sessions that died with their owners a person is asked', () => {
  let pending = fresh;
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    expect(nextMove(pending).kind).toBe('ask');
    pending = withSession(pending, 'route', id);
    expect(pending.asking?.attempt).toBe(attempt);
  }
  expect(nextMove(pending).kind).toBe('askPerson');
});
