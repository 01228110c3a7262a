interface Deed {
  readonly past: string;
  /** Stands before the first title, or behind the last one. */
  readonly before?: string;
  readonly after?: string;
  /** Stands between two titles. */
  readonly between?: string;
}

/** By the first word of the title of a commit. The first that fits counts. */
const deeds: readonly (readonly [string, Deed])[] = [
  ['Add', { past: 'Added' }],
  ['Validate', { past: 'Validated' }],
  ['Supersede', { past: 'Superseded', before: 'a statement of ' }],
  ['Supersede', { past: 'Superseded', between: ' by ' }],
  ['Link', { past: 'Linked', between: ' and ', after: ', which contradict each other' }],
  ['Rename', { past: 'Renamed', between: ' to ' }],
  ['Merge', { past: 'Merged', between: ' into ' }],
  ['Archive', { past: 'Archived' }],
  ['Restore', { past: 'Restored' }],
];

/** What a change did, for its reader, from the title of its commit. */
export function formatDeed(commitTitle: string): string {
  for (const [verb, { past, before = '', after = '', between }] of deeds) {
    const start = `${verb} ${before}`;
    if (!commitTitle.startsWith(start) || !commitTitle.endsWith(after)) continue;
    const named = commitTitle.slice(start.length, commitTitle.length - after.length);
    const titles = between === undefined ? [named] : named.split(between);
    // A title can have that word in it as well, and then its end is not known.
    const isClear = titles.length === (between === undefined ? 1 : 2);
    const shown = isClear ? titles.map((title) => `“${title}”`).join(between ?? '') : named;
    return `${past} ${before}${shown}${after}.`;
  }
  return `${commitTitle}.`;
}
