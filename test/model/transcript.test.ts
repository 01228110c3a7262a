import { expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { readTranscript } from '../../src/model/transcript.ts';

const actor = toQualifiedId('shop/project-root');
const events: readonly RavelEvent[] = ['one', 'two', 'three', 'four', 'five'].map((reason) => ({
  ...{ type: 'run.queued', actor, at: '2026-11-20T08:30:00Z', reason },
}));

async function check(partLength: number, lastNext?: number): Promise<void> {
  const whole = await readTranscript(async (from) => {
    const part = events.slice(from, from + partLength);
    return { events: part, next: lastNext ?? from + part.length };
  });
  expect(whole).toEqual(events);
}

test('readTranscript reads a transcript in one part', () => check(5));
test('readTranscript reads a transcript in parts, the last one short', () => check(2));
test('readTranscript stops if a part does not advance', () => check(5, 0));
