import { join } from 'node:path';
import * as z from 'zod';
import type { Supervisor } from '../../actors/supervisor.ts';
import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { isRavelError } from '../../base/errors.ts';
import { createJournal, type Journal, openJournal, readJournal } from '../../base/journal.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { actorSchema, ulidSchema } from '../../model/idSchemas.ts';
import type { Sender } from '../../model/message.ts';
import { person } from '../../model/person.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { type CallRecord, readCalls } from '../proposals/callJournal.ts';
import { emitFor, type PlanServices } from '../services.ts';

/** What a session that runs is told: a person's words, or what became of a question of its plan. */
export interface Note {
  /** The id of its message. */
  readonly id: Ulid;
  readonly at: string;
  readonly text: string;
  readonly answer?: AnsweredQuestion;
}

export interface AnsweredQuestion {
  readonly query: Ulid;
  readonly by: Sender;
  /** Its first line. */
  readonly question: string;
}

interface NoteRecord extends Note {
  /** Under which id it goes back into the plan's mailbox if the session ends without it. */
  readonly returnAs: Ulid;
}

const noteSchema: z.ZodType<NoteRecord> = z.looseObject({
  id: ulidSchema,
  at: z.string(),
  text: z.string(),
  answer: z
    .looseObject({ query: ulidSchema, by: z.union([z.literal(person), actorSchema]), question: z.string() })
    .exactOptional(),
  returnAs: ulidSchema,
});

const lineSchema = z.looseObject({ note: noteSchema.exactOptional(), returned: ulidSchema.exactOptional() });

type Line = { readonly note: NoteRecord } | { readonly returned: Ulid };

export function notesPath(sessionDirectory: string): string {
  return join(sessionDirectory, 'notes.jsonl');
}

/**
 * The notes that a session was left, in `notes.jsonl` of its folder; which of them it was told stands in its call
 * journal, with the answer that told them.
 */
export class SessionNotes {
  readonly #notes: NoteRecord[];
  /** Most sessions are left no note, and get no file. */
  readonly #journal: Journal;

  private constructor(journal: Journal, notes: NoteRecord[]) {
    this.#journal = journal;
    this.#notes = notes;
  }

  static async open(disk: Disk, sessionDirectory: string): Promise<SessionNotes> {
    const path = notesPath(sessionDirectory);
    return new SessionNotes(createJournal(disk, path), (await readLines(disk, path)).notes);
  }

  has(id: Ulid): boolean {
    return this.#notes.some((note) => note.id === id);
  }

  /** Resolves once the note is durable. */
  async add(note: Note, returnAs: Ulid): Promise<void> {
    const record = { ...note, returnAs };
    await this.#journal.append({ note: record } satisfies Line);
    this.#notes.push(record);
  }

  /** Those that no answer of these calls has told. */
  undelivered(calls: readonly CallRecord[]): readonly Note[] {
    const delivered = deliveredBy(calls);
    return this.#notes.filter((note) => !delivered.has(note.id));
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

/** Whether a session that is over had taken a note. */
export async function hadNote(disk: Disk, sessionDirectory: string, id: Ulid): Promise<boolean> {
  const { notes } = await readLines(disk, notesPath(sessionDirectory));
  return notes.some((note) => note.id === id);
}

/** How `finish_phase` is answered while notes are untold; no attempt is counted, for the session could not know. */
export const notesUnread = 'Not yet: a message to you has arrived. Take it into account, then call finish_phase again.';

/** A call whose answer tells notes as well. */
export function withNotes(record: CallRecord, notes: readonly Note[]): CallRecord {
  if (notes.length === 0) return record;
  const text = `${record.result.text}\n\n${formatNotes(notes)}`;
  const delivered = [...(record.notes ?? []), ...notes.map(({ id }) => id)];
  return { ...record, result: { ...record.result, text }, notes: delivered };
}

/** Each line is marked, so that no note can pass for the tool's own words. */
function formatNotes(notes: readonly Note[]): string {
  return notes
    .map((note) => {
      const lines = note.text.trimEnd().split(/\r\n|[\n\r\u0085\u2028\u2029]/);
      return [headingOf(note), ...lines.map((line) => `> ${line}`)].join('\n');
    })
    .join('\n\n');
}

function headingOf({ at, answer }: Note): string {
  if (answer === undefined) return `A note of the person, sent ${at} while you work:`;
  return `${answer.by} on your question ${JSON.stringify(answer.question)}, sent ${at} while you work:`;
}

/** The notes that the answers of these calls told a session. */
export async function notesTold(
  disk: Disk,
  sessionDirectory: string,
  calls: readonly CallRecord[],
): Promise<readonly Note[]> {
  const told = deliveredBy(calls);
  if (told.size === 0) return [];
  const { notes } = await readLines(disk, notesPath(sessionDirectory));
  return notes.filter(({ id }) => told.has(id));
}

/** Whether a session was told a note with the answer to one of its calls. */
export async function wasDelivered(disk: Disk, sessionDirectory: string, note: Ulid): Promise<boolean> {
  return deliveredBy(await readCalls(disk, sessionDirectory)).has(note);
}

/** Under which reason an answer is received that no session was told. */
export function answerReason({ answer }: Pick<Note, 'answer'>): string {
  return answer === undefined ? unreadNoteReason : `The answer to your question: ${answer.question}`;
}

/** Under which reason a note is received that no session was told. */
export const unreadNoteReason = 'A note that no session was told';

/** As `returnNotes`, for a phase that is over whatever becomes of its notes: they are on disk, and the next start sends them. */
export async function giveNotesBack(
  parts: { readonly services: PlanServices; readonly actors: Pick<Supervisor, 'send'> },
  plan: QualifiedId,
  session: Ulid,
): Promise<void> {
  try {
    await returnNotes(parts, plan, session);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    emitFor(parts.services, plan, { type: 'diagnostic', diagnostic: error.diagnostic });
  }
}

/**
 * Gives the notes that a session was not told back to its plan, as messages that it receives. For sessions that are over
 * alone. Done again after a crash it doubles nothing: the mailbox knows the message, and then the notes say so.
 */
export async function returnNotes(
  { services, actors }: { readonly services: VaultPorts; readonly actors: Pick<Supervisor, 'send'> },
  plan: QualifiedId,
  session: Ulid,
): Promise<void> {
  const directory = services.layout.session(session);
  const { notes, returned } = await readLines(services.disk, notesPath(directory));
  if (notes.length === 0) return;
  const delivered = deliveredBy(await readCalls(services.disk, directory));
  const undelivered = notes.filter(({ id }) => !delivered.has(id) && !returned.has(id));
  if (undelivered.length === 0) return;
  const journal = await openJournal(services.disk, notesPath(directory));
  try {
    for (const note of undelivered) {
      const { id, returnAs, text, answer } = note;
      const message = {
        id: returnAs,
        from: answer?.by ?? person,
        to: plan,
        type: 'dispatch',
        reason: answerReason(note),
        body: text,
        ...defined({ re: answer?.query }),
      } as const;
      await actors.send(message, { isRepeat: true });
      await journal.append({ returned: id } satisfies Line);
    }
  } finally {
    await journal.close();
  }
}

function deliveredBy(calls: readonly CallRecord[]): ReadonlySet<string> {
  return new Set(calls.flatMap((call) => call.notes ?? []));
}

async function readLines(
  disk: Disk,
  path: string,
): Promise<{ readonly notes: NoteRecord[]; readonly returned: ReadonlySet<Ulid> }> {
  const { records } = await readJournal(disk, path, lineSchema);
  return {
    notes: records.flatMap(({ note }) => note ?? []),
    returned: new Set(records.flatMap(({ returned }) => returned ?? [])),
  };
}
