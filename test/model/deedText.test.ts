import { expect, test } from 'vitest';
import { formatDeed } from '../../src/model/deedText.ts';

test.each([
  ['Add Retries need a limit', 'Added “Retries need a limit”.'],
  ['Validate A', 'Validated “A”.'],
  ['Supersede a statement of A', 'Superseded a statement of “A”.'],
  ['Supersede A by B', 'Superseded “A” by “B”.'],
  ['Link A and B, which contradict each other', 'Linked “A” and “B”, which contradict each other.'],
  ['Link A and B and C, which contradict each other', 'Linked A and B and C, which contradict each other.'],
  ['Rename A to B', 'Renamed “A” to “B”.'],
  ['Merge A into B', 'Merged “A” into “B”.'],
  ['Archive A', 'Archived “A”.'],
  ['Restore A', 'Restored “A”.'],
  ['Something else', 'Something else.'],
])('%s: %s', (title, shown) => {
  expect(formatDeed(title)).toBe(shown);
});
