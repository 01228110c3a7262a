import { sha256 } from '../../base/files.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import type { Memory, MemoryEntry } from '../../model/memory.ts';
import type { SessionRecord } from '../../model/session.ts';

/** Something that a plan learned and code proved. */
export interface ProvenEntry {
  readonly entry: string;
  /** SHA-256 of its title and text. */
  readonly hash: string;
  readonly title: string;
  readonly body: string;
  /** The texts of the claims that it rests on. */
  readonly claims: readonly string[];
  /** The sessions that worked, analysed and reflected: what they were shown proves nothing. */
  readonly sessions: readonly Ulid[];
}

/**
 * The entries of a memory that rest on claims of the latest session, each of which analysis found evidence for. Claims have
 * the same ids in every session, so an entry counts only if a session put it there after that analysis. Those without a claim,
 * or with one that is not evidenced, are left out: a memory can say anything.
 */
export function provenEntries(
  memory: Memory,
  record: SessionRecord,
  workSession?: Ulid | undefined,
): readonly ProvenEntry[] {
  const analysed = record.session ?? '';
  // Later work is not what was analysed.
  const earlier = [workSession !== undefined && workSession < analysed ? workSession : '', analysed];
  const evidenced = new Map(
    (record.claims ?? []).filter(({ verdict }) => verdict === 'evidenced').map(({ id, text }) => [id, text]),
  );
  return (memory.entries ?? []).flatMap((entry) => {
    const ids = entry.claims ?? [];
    const claims = ids.flatMap((id) => evidenced.get(id) ?? []);
    const isLater = (entry['source-session'] ?? '') > (record.session ?? '~');
    const isProven = ids.length > 0 && claims.length === ids.length;
    if (!isLater || !isProven || entry.body.trim() === '' || entry.title.trim() === '') return [];
    const sessions = [...earlier, entry['source-session'] ?? ''].filter(isUlid);
    return [{ entry: entry.id, hash: statementHash(entry), title: entry.title, body: entry.body, claims, sessions }];
  });
}

function statementHash({ title, body }: Pick<MemoryEntry, 'title' | 'body'>): string {
  return sha256(JSON.stringify([title.trim(), body.trim()]));
}
