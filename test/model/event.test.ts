import { expect, test } from 'vitest';
import { eventDescriptions } from '../../src/model/event.ts';

test.each(Object.entries(eventDescriptions))(
  'the event %s has a well-formed name and a description in one sentence',
  (type, description) => {
    expect(type).toMatch(/^[a-z]+(\.[a-z]+)?$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
  },
);
