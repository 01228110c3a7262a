import { expect, test } from 'vitest';
import { analysisCase, tryEveryPoint } from './phase.ts';

test('an owner that dies at any moment of an analysis after its session makes each commit once', {
  timeout: 600_000,
}, async () => {
  // Until then it does what it does in a reflection, of which every moment is tried.
  const { tried, ends } = await tryEveryPoint(analysisCase, ({ type }) => type === 'session.ended');
  expect(tried).toBeGreaterThan(80);
  expect(ends).toContain('after');
});
