import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import type { RavelEvent } from '../model/event.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import { isPhase, type Phase } from '../model/phase.ts';
import type { SessionRow } from '../model/requests/sessions.ts';
import type { SessionPurpose } from '../model/sessionPurpose.ts';
import { parseEvent } from '../plans/transcriptFile.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** What is read of each end of a transcript: it says at its beginning whose it is, and at its end what came of it. */
const endBytes = 64 * 1024;
const readAtOnce = 8;

/** Sessions that have a transcript, the newest first, `limit` of those older than `before`. */
export async function recentSessions(
  ports: VaultPorts,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<{ readonly sessions: readonly SessionRow[]; readonly next?: Ulid }> {
  const found = await listSessions(ports);
  const older = before === undefined ? found : found.filter((session) => session < before);
  const sessions: SessionRow[] = [];
  let at = 0;
  while (at < older.length && sessions.length < limit) {
    const part = older.slice(at, at + Math.min(readAtOnce, limit - sessions.length));
    at += part.length;
    const rows = await Promise.all(part.map((session) => loadSessionRow(ports, session)));
    sessions.push(...rows.filter((row) => row !== undefined));
  }
  const last = older[at - 1];
  return { sessions, ...(at < older.length && last !== undefined && { next: last }) };
}

/** A ULID begins with its time, so the greatest is the newest as far as clocks can be trusted. */
async function listSessions({ disk, layout }: VaultPorts): Promise<Ulid[]> {
  const entries = await ifThere(layout.sessions, () => disk.readDirectory(layout.sessions));
  const names = (entries ?? []).map(({ name }) => name);
  return names.filter(isUlid).sort().reverse();
}

/** Undefined for one without a transcript, and for one that never said whose it is. */
export async function loadSessionRow({ disk, layout }: VaultPorts, session: Ulid): Promise<SessionRow | undefined> {
  const { head, tail } = await readEnds(disk, layout.transcript(session));
  const begun = head.find((event) => event.type === 'session.started') ?? head.find(isPhaseStart);
  if (begun === undefined) return undefined;
  const ended = endOf(tail, begun.phase);
  const stopped = tail.findLast((event) => event.type === 'session.ended');
  const task = head.find(isPhaseStart)?.task;
  return {
    session,
    ...(begun.actor !== 'vault' && { plan: begun.actor }),
    phase: begun.phase,
    startedAt: head[0]?.at ?? begun.at,
    ...defined({ harness: begun.harness, task, durationMs: stopped?.durationMs, ended }),
  };
}

/** A consultation ends with its session; what it said last is the answer. */
function endOf(tail: readonly RavelEvent[], purpose: Phase | SessionPurpose): SessionRow['ended'] {
  if (!isPhase(purpose)) {
    const stopped = tail.findLast((event) => event.type === 'session.ended');
    const answered = tail.findLast((event) => event.type === 'session.verb');
    if (stopped === undefined) return undefined;
    const end = answered?.applied === true ? 'finished' : 'interrupted';
    return { end, at: stopped.at, summary: answered?.summary ?? 'It gave no answer.' };
  }
  const ends = tail.filter((event) => event.type === 'phase.ended');
  // The commits that follow a session stand in its transcript as well.
  const ended = ends.findLast(({ phase }) => phase === purpose) ?? ends.at(-1);
  return ended === undefined ? undefined : { end: ended.end, at: ended.at, summary: ended.summary };
}

function isPhaseStart(event: RavelEvent): event is Extract<RavelEvent, { readonly type: 'phase.started' }> {
  return event.type === 'phase.started';
}

async function readEnds(
  disk: Disk,
  path: string,
): Promise<{ readonly head: readonly RavelEvent[]; readonly tail: readonly RavelEvent[] }> {
  const nothing = { head: [], tail: [] };
  // A folder or a pipe in its place is skipped, so that the others are still shown.
  if ((await ifThere(path, () => disk.stat(path)))?.kind !== 'file') return nothing;
  const file = await ifThere(path, () => disk.open(path, 'read'));
  if (file === undefined) return nothing;
  try {
    const size = await file.size();
    const read = async (from: number) => {
      const buffer = Buffer.alloc(Math.min(endBytes, size - from));
      const count = await file.read(buffer, from);
      return buffer.toString('utf8', 0, count).split('\n');
    };
    const head = parseLines((await read(0)).slice(0, -1));
    if (size <= endBytes) return { head, tail: head };
    return { head, tail: parseLines((await read(size - endBytes)).slice(1, -1)) };
  } finally {
    await file.close();
  }
}

/** A line that holds no event is passed over: the transcript itself is read by its own request, which tells of it. */
function parseLines(lines: readonly string[]): RavelEvent[] {
  return lines.flatMap((line) => parseEvent(line) ?? []);
}
