/**
 * When a person last looked at what happened in a vault. It is theirs alone, so it lies in their state folder and not in
 * the vault, which others share.
 */
export interface LastVisit {
  /** In milliseconds; undefined if this person never looked, or the file cannot be read as a time. */
  load(): Promise<number | undefined>;
  /** Rejects with `disk/denied` and its like; a file that cannot be written costs only the next look its beginning. */
  save(at: string): Promise<void>;
}
