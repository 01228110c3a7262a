import { expect, test } from 'vitest';
import { eventDescriptions } from '../../src/model/event.ts';

test.each(Object.entries(eventDescriptions))('%s is described in a sentence', (type, description) => {
  expect(type).toMatch(/^[a-z]+(\.[a-z]+)?$/);
  expect(description).toMatch(/^[A-Z].*\.$/);
});
