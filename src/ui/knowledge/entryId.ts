import { relative, sep } from 'node:path';

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

/** By which the vault finds the entry that a file is: its id, or its path in the vault; undefined for a file elsewhere. */
export function entryNameOf(text: string, file: string, vault: string): string | undefined {
  const path = relative(vault, file).split(sep).join('/');
  return entryIdOf(text) ?? (path.startsWith('../') ? undefined : path);
}
