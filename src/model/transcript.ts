import type { RavelEvent } from './event.ts';
import type { RequestResults } from './protocol.ts';

/** Every event of a transcript, in parts, since an answer has a largest size. `read` asks for the part from a place on. */
export async function readTranscript(
  read: (from: number) => Promise<RequestResults['transcript']>,
): Promise<readonly RavelEvent[]> {
  const all: RavelEvent[] = [];
  for (let from = 0; ; ) {
    const { events, next } = await read(from);
    for (const event of events) all.push(event);
    if (events.length === 0 || next <= from) return all;
    from = next;
  }
}
