import { expect, test } from 'vitest';
import { eventRowOf, eventTypes } from '../../src/model/event.ts';

test.each(eventTypes)('the event %s has a well-formed name and a description in one sentence', (type) => {
  expect(type).toMatch(/^[a-z]+(\.[a-z]+)?$/);
  expect(eventRowOf(type).describes).toMatch(/^[A-Z].*\.$/);
});
