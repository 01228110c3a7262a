import { expect, test } from 'vitest';
import { leadText } from '../../src/model/routingText.ts';

test.each([
  [
    'decides',
    { ahead: 0.314, threshold: 0.12 },
    'A lead of 12 % decides, as tested on 113 tasks of plans and 1 earlier decision.',
  ],
  [
    'is not known',
    { ahead: 0.314 },
    'No lead decides: on 113 tasks of plans and 1 earlier decision, none was right often enough.',
  ],
])('a lead is told with what it rests on if the one that %s', (_name, lead, said) => {
  const told = leadText({ ...lead, tasks: 113, decisions: 1 });
  expect(told).toBe(`The best is ahead of the second by 31 % of its score. ${said}`);
});
