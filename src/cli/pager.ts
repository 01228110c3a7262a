/** The command of the person's pager: `PAGER`, else less; undefined if they want none (`PAGER=`, `PAGER=cat`). */
export function namedPager({ PAGER, TERM }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (TERM === 'dumb') return undefined;
  const named = PAGER?.trim() ?? 'less -R';
  return named === '' || named === 'cat' ? undefined : named;
}
