import { expect, test } from 'vitest';
import { TranscriptReader } from '../../src/cli/transcriptReader.ts';
import { failure } from '../../src/model/codes.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { sampleEvent, sampleSession } from './samples.ts';

const output = (seq: number): RavelEvent =>
  sampleEvent({ type: 'session.output', session: sampleSession, seq, output: { kind: 'text', text: `line ${seq}` } });
const accepted = sampleEvent({ type: 'gate.judged', session: sampleSession, gate: 'ids', outcome: 'accept' });

/** Reads a transcript while events come, and checks what was shown in the end. */
async function check(
  transcript: readonly RavelEvent[],
  { during = [], after = [] }: { readonly during?: readonly RavelEvent[]; readonly after?: readonly RavelEvent[] },
  shown: readonly RavelEvent[],
): Promise<void> {
  const seen: RavelEvent[] = [];
  const api = createFakeApi({
    transcript: ({ from = 0 }) => {
      if (from === 0) for (const event of during) api.emit(event);
      return { events: transcript.slice(from, from + 2), next: Math.min(from + 2, transcript.length) };
    },
  });
  const reader = new TranscriptReader(api, (event) => seen.push(event));
  api.onEvent(reader.take);
  await reader.read(sampleSession);
  reader.goLive();
  for (const event of after) api.emit(event);
  expect(seen).toEqual(shown);
}

test('an event that comes both live and in the transcript is shown once', () =>
  check([output(1), output(2), output(3)], { during: [output(2), output(3), output(4)] }, [1, 2, 3, 4].map(output)));

test('equal events are shown as often as they happened', () =>
  check([accepted, accepted], { during: [accepted], after: [accepted, accepted] }, [accepted, accepted, accepted]));

test('events after the transcript are shown as they come', () =>
  check([output(1)], { after: [output(2)] }, [output(1), output(2)]));

test('readIfThere accepts a session without a transcript, and read does not', async () => {
  const api = createFakeApi({
    transcript: () => {
      throw failure('session/unknown', sampleSession, 'there is no transcript');
    },
  });
  const reader = new TranscriptReader(api, () => undefined);
  await reader.readIfThere(sampleSession);
  await expect(reader.read(sampleSession)).rejects.toThrow('there is no transcript');
});
