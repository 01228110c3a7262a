import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../src/duration.js';

test('one part', () => {
  assert.equal(parseDuration('2h'), 7_200_000);
  assert.equal(parseDuration('45s'), 45_000);
});

test('several parts', () => {
  assert.equal(parseDuration('1h30m'), 5_400_000);
  assert.equal(parseDuration('1h2m3s'), 3_723_000);
});

test('no duration at all', () => {
  assert.throws(() => parseDuration('soon'), /not a duration: soon/);
});
