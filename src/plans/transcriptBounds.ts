import { nestedTooDeep, nestingMax } from '../base/json.ts';
import { formatCount } from '../base/text.ts';
import type { RavelEvent } from '../model/event.ts';

/** Characters of one text of a tool's call that a transcript keeps, half of them from its beginning and its end each. */
const textKept = 32 * 1024;
/** The same once a transcript is as large as this, so that no session fills the disk with what its tools printed. */
const textKeptLate = 1024;
const transcriptBytesMax = 16 * 1024 * 1024;

/**
 * An event as its transcript keeps it: with what a tool was given and what it said cut in the middle if that is long,
 * and a mark that says how much is missing. Exit codes, refusals and what the session itself said stay whole. `bytes`:
 * how long the transcript is already.
 */
export function boundEvent(event: RavelEvent, bytes: number): RavelEvent {
  if (event.type !== 'session.output') return event;
  const { output } = event;
  const kept = bytes > transcriptBytesMax ? textKeptLate : textKept;
  if (output.kind === 'toolStarted') return { ...event, output: { ...output, input: cutAll(output.input, kept) } };
  if (output.kind === 'toolEnded') return { ...event, output: { ...output, output: cut(output.output, kept) } };
  return event;
}

function cut(text: string, kept: number): string {
  if (text.length <= kept) return text;
  const half = kept / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)];
  return `${start}\n… ${formatCount(text.length - kept)} characters are left out here …\n${end}`;
}

/** Every text in a tool's input; what nests deeper than `nestingMax` becomes a text that says so. */
function cutAll(value: unknown, kept: number, depth = 0): unknown {
  if (typeof value === 'string') return cut(value, kept);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > nestingMax) return nestedTooDeep;
  if (Array.isArray(value)) return value.map((one) => cutAll(one, kept, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cutAll(one, kept, depth + 1)]));
}
