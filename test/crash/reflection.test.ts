import { expect, test } from 'vitest';
import { reflectCase, tryEveryPoint } from './phase.ts';

test('an owner that dies at any moment of a reflection leaves the plan before it or after it', {
  timeout: 600_000,
}, async () => {
  const { tried, ends } = await tryEveryPoint(reflectCase);
  expect(tried).toBeGreaterThan(100);
  // Early ends leave the state before, late ones the state after.
  expect([...new Set(ends)].sort()).toEqual(['after', 'before']);
});
