/** The id in the frontmatter of the text of an entry; undefined for one without an id. */
export function entryIdOf(text: string): string | undefined {
  const [first = '', ...lines] = text
    .slice(0, 20_000)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  if (first.trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  const found = lines.slice(0, Math.max(0, end)).find((line) => line.startsWith('id:'));
  return /^id:[ \t]*["']?([0-9A-HJKMNP-TV-Z]{26})["']?[ \t]*$/.exec(found ?? '')?.[1];
}
