import { formatTimestamp } from '../base/clock.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { type FileLine, readFileLines, readFileLinesBackwards } from '../base/fileLines.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { diagnostic } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { Ulid } from '../model/id.ts';
import { lineBytesMax } from '../model/protocol.ts';
import type { VaultLayout } from '../vault/layout.ts';

export interface TranscriptPlace {
  readonly disk: Disk;
  readonly layout: VaultLayout;
}

/** The events from `number` on, as they stand in a file from the byte `offset` on. */
interface Mark {
  readonly number: number;
  readonly offset: number;
}

/** An answer has no room for a longer event. */
const eventBytesMax = lineBytesMax - 64 * 1024;
/** Of a page: lines that hold no event cost time too. */
const linesMax = 16_384;
const markEveryBytes = 256 * 1024;
const markedSessionsMax = 64;
const fileStart: Mark = { number: 0, offset: 0 };

const shortestEvent = '{"at":"","type":""}';

/**
 * The event that a line of a transcript holds, undefined for anything else. Its lines are not synced one by one, so a
 * power cut may leave zeroes in the place of some.
 */
export function parseEvent(line: string): RavelEvent | undefined {
  // Refusing a line that is not JSON takes microseconds, so even a damaged file of empty lines is read quickly.
  if (line.length < shortestEvent.length) return undefined;
  const value = parseJson(line);
  if (!isRecord(value) || typeof value['type'] !== 'string' || typeof value['at'] !== 'string') return undefined;
  if (value['type'] === 'session.output' && !isOutput(value)) return undefined;
  return value as RavelEvent;
}

function isOutput({ output, seq }: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(output) || !Number.isInteger(seq)) return false;
  const kind = String(output['kind']);
  if (!Object.hasOwn(wordsOf, kind)) return false;
  return wordsOf[kind as HarnessOutput['kind']].every((name) => typeof output[name] === 'string');
}

/** The texts that a whole output of each kind has. */
const wordsOf: Readonly<Record<HarnessOutput['kind'], readonly string[]>> = {
  ready: ['model', 'version'],
  text: ['text'],
  toolStarted: ['tool', 'callId'],
  toolEnded: ['callId', 'output'],
  usage: [],
  retry: ['reason'],
  result: ['reason'],
  warning: ['message'],
};

/**
 * The events of a session as its transcript holds them, in order; a torn last line is left out. In the place of lines
 * that hold none stands a diagnostic. Needs the memory of one event, and lets others have their turn in between.
 */
export async function* transcriptEvents(
  { disk, layout }: TranscriptPlace,
  session: Ulid,
): AsyncGenerator<RavelEvent, void, undefined> {
  const file = await openTranscript(disk, layout.transcript(session));
  if (file === undefined) return;
  try {
    const events = await EventsOfLines.of(disk, layout.transcript(session), session);
    let number = 0;
    for await (const lines of readFileLines(file, 0, eventBytesMax)) {
      for (const line of lines) yield* events.take(readLine(line), number++);
    }
    yield* events.end();
  } finally {
    await file.close();
  }
}

/** The number of the last output in a transcript, 0 without one. Reads no more than the end of it. */
export async function lastOutputSeq({ disk, layout }: TranscriptPlace, session: Ulid): Promise<number> {
  const file = await openTranscript(disk, layout.transcript(session));
  if (file === undefined) return 0;
  try {
    for await (const line of readFileLinesBackwards(file, eventBytesMax)) {
      const event = parseEvent(line.toString('utf8'));
      if (event?.type === 'session.output') return event.seq;
    }
    return 0;
  } finally {
    await file.close();
  }
}

/** A part of a transcript, and the number that comes after it. */
export interface TranscriptPage {
  readonly events: readonly RavelEvent[];
  readonly next: number;
}

/**
 * Reads transcripts by pages. If it came by an event it remembers the place of some, so that a page costs what it
 * holds, however much comes before it.
 */
export class TranscriptPages {
  readonly #place: TranscriptPlace;
  /** In order; the sessions that were read longest ago come first. */
  readonly #marks = new Map<Ulid, Mark[]>();

  constructor(place: TranscriptPlace) {
    this.#place = place;
  }

  /**
   * The events from number `from` on, as many as fit into `bytesMax` and at least one; undefined if there is no
   * transcript. Lines count, whatever they hold, and there are at most 16,384 of them in a page; in the place of those
   * that hold no event stands a diagnostic. Counted are the bytes of the events as they are sent, or those of the lines
   * if these are more.
   */
  async read(
    session: Ulid,
    { from, bytesMax }: { readonly from: number; readonly bytesMax: number },
  ): Promise<TranscriptPage | undefined> {
    const { disk, layout } = this.#place;
    const path = layout.transcript(session);
    const file = await openTranscript(disk, path);
    if (file === undefined) return undefined;
    try {
      const of = await EventsOfLines.of(disk, path, session);
      const events: RavelEvent[] = [];
      let { number, offset } = await this.#markBefore(file, session, from);
      let bytes = 0;
      for await (const lines of readFileLines(file, offset, eventBytesMax)) {
        for (const line of lines) {
          if (number >= from) {
            const { held, sentBytes } = of.measure(readLine(line), number);
            bytes += Math.max(line.end - offset, sentBytes);
            const isFull = bytes > bytesMax || number - from === linesMax;
            if (number > from && isFull) return { events: [...events, ...of.end()], next: number };
            events.push(...of.take(held, number));
          }
          number += 1;
          offset = line.end;
          this.#remember(session, { number, offset });
        }
      }
      return number === 0 ? undefined : { events: [...events, ...of.end()], next: number };
    } finally {
      await file.close();
    }
  }

  async #markBefore(file: DiskFile, session: Ulid, from: number): Promise<Mark> {
    const mark = this.#marks.get(session)?.findLast(({ number }) => number <= from);
    if (mark !== undefined && (await isLineStart(file, mark.offset))) return mark;
    // The file is another one by now.
    if (mark !== undefined) this.#marks.delete(session);
    return fileStart;
  }

  #remember(session: Ulid, mark: Mark): void {
    const marks = this.#marks.get(session) ?? [];
    const last = marks.at(-1) ?? fileStart;
    if (mark.offset < last.offset + markEveryBytes && mark.number < last.number + linesMax) return;
    marks.push(mark);
    this.#marks.delete(session);
    this.#marks.set(session, marks);
    const [oldest] = this.#marks.keys();
    if (this.#marks.size > markedSessionsMax && oldest !== undefined) this.#marks.delete(oldest);
  }
}

type Problem = 'damaged' | 'too long to be shown';
/** What a line holds: an event, or why there is none of it. */
type Held = RavelEvent | Problem;

interface Bad {
  readonly first: number;
  readonly last: number;
  readonly problem: Problem;
}

function readLine({ bytes }: FileLine): Held {
  if (bytes === undefined) return 'too long to be shown';
  return parseEvent(bytes.toString('utf8')) ?? 'damaged';
}

/** Of an event in an answer, with what divides it from the next. */
function sentBytesOf(event: RavelEvent): number {
  return Buffer.byteLength(JSON.stringify(event)) + 1;
}

/** Turns lines into events, and those that hold none, as many as follow each other, into one diagnostic. */
class EventsOfLines {
  readonly #path: string;
  readonly #session: Ulid;
  #stamp: Pick<RavelEvent, 'at' | 'actor'>;
  #bad: Bad | undefined;

  static async of(disk: Disk, path: string, session: Ulid): Promise<EventsOfLines> {
    return new EventsOfLines(path, session, formatTimestamp((await disk.stat(path)).mtimeMs));
  }

  private constructor(path: string, session: Ulid, at: string) {
    this.#path = path;
    this.#session = session;
    this.#stamp = { at, actor: 'vault' };
  }

  /**
   * What of a line can be sent, and the bytes that it adds to an answer. An event may be longer as it is sent than as it
   * stands in its line: numbers are written in full, and each byte that is not UTF-8 becomes three.
   */
  measure(held: Held, number: number): { readonly held: Held; readonly sentBytes: number } {
    if (typeof held !== 'string') {
      const sentBytes = sentBytesOf(held);
      if (sentBytes <= eventBytesMax) return { held, sentBytes };
      return this.measure('too long to be shown', number);
    }
    if (this.#bad?.problem === held) return { held, sentBytes: 0 };
    // Told with as many lines as may follow, since a line number may take more digits by then.
    return { held, sentBytes: sentBytesOf(this.#diagnose({ first: number, last: number + linesMax, problem: held })) };
  }

  take(held: Held, number: number): RavelEvent[] {
    if (typeof held === 'string') return this.#takeBad(number, held);
    const before = this.end();
    this.#stamp = { at: held.at, actor: held.actor };
    return [...before, held];
  }

  #takeBad(number: number, problem: Problem): RavelEvent[] {
    if (this.#bad?.problem === problem) {
      this.#bad = { ...this.#bad, last: number };
      return [];
    }
    const before = this.end();
    this.#bad = { first: number, last: number, problem };
    return before;
  }

  /** What is left to tell of the lines up to here. */
  end(): RavelEvent[] {
    const bad = this.#bad;
    this.#bad = undefined;
    if (bad === undefined) return [];
    return [this.#diagnose(bad)];
  }

  #diagnose({ first, last, problem }: Bad): RavelEvent {
    const which = first === last ? `Line ${first + 1} is` : `Lines ${first + 1} to ${last + 1} are`;
    const range = { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
    const place = { severity: 'warning', file: this.#path, range } as const;
    const message = `${which} left out of the transcript: ${problem}.`;
    const unreadable = diagnostic('session/unreadable', this.#session, message, place);
    return { ...this.#stamp, type: 'diagnostic', diagnostic: unreadable };
  }
}

function openTranscript(disk: Disk, path: string): Promise<DiskFile | undefined> {
  return ifThere(path, () => disk.open(path, 'read'));
}

async function isLineStart(file: DiskFile, offset: number): Promise<boolean> {
  const before = Buffer.alloc(1);
  return (await file.read(before, offset - 1)) === 1 && before[0] === 10;
}
