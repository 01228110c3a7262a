import type { MemoryEntry } from '../../model/memory.ts';
import type { YamlPlace } from '../yamlDocument.ts';
import { type Converted, unclear } from './markdownBacklog.ts';
import { joinLines, type MarkdownLine, markdownLines } from './markdownLines.ts';
import { createSlugs } from './slugs.ts';

interface Section {
  readonly heading: MarkdownLine;
  readonly lines: MarkdownLine[];
}

/** The entries of a memory in Markdown: one for each heading of the second level, with all that stands below it. */
export function convertMemory(text: string, place: YamlPlace): Converted<MemoryEntry> {
  const lines = markdownLines(text);
  const { sections, rest } = splitSections(lines, entryLevel(lines));
  const diagnostics = [];
  const slug = createSlugs('entry');
  const entries: MemoryEntry[] = [];
  for (const { heading, lines: below } of sections) {
    const title = heading.heading?.title ?? '';
    const body = joinLines(below);
    if (body === '' || title === '') {
      const message = `The section "${title}" ${title === '' ? 'has no title' : 'is empty'}, so it is no entry.`;
      diagnostics.push(unclear(place, heading, message));
      rest.push(heading, ...below);
      continue;
    }
    entries.push({ id: slug(title), title, body });
  }
  if (sections.length > 0) return { records: entries, prose: joinLines(rest), diagnostics };
  return withoutSections(rest, place);
}

/** The second level, or the highest one below it that the text has. */
function entryLevel(lines: readonly MarkdownLine[]): number {
  const levels = lines.flatMap(({ heading }) => (heading !== undefined && heading.level > 1 ? [heading.level] : []));
  return levels.reduce((level, other) => Math.min(level, other), 6);
}

function splitSections(lines: readonly MarkdownLine[], entry: number): { sections: Section[]; rest: MarkdownLine[] } {
  const sections: Section[] = [];
  const rest: MarkdownLine[] = [];
  let open: Section | undefined;
  for (const line of lines) {
    if (line.heading?.level === entry) {
      open = { heading: line, lines: [] };
      sections.push(open);
      continue;
    }
    if (line.heading !== undefined && line.heading.level < entry) open = undefined;
    (open?.lines ?? rest).push(line);
  }
  return { sections, rest };
}

/** A memory without headings is still something that was learned: one entry. */
function withoutSections(lines: readonly MarkdownLine[], place: YamlPlace): Converted<MemoryEntry> {
  const heading = lines.find((line) => line.heading !== undefined);
  const body = joinLines(lines.filter((line) => line !== heading));
  if (body === '') return { records: [], prose: joinLines(lines), diagnostics: [] };
  const title = heading?.heading?.title || 'Memory';
  const message = 'There is no heading that could part entries, so all of it is one entry.';
  const entry = { id: createSlugs('entry')(title), title, body };
  return { records: [entry], prose: '', diagnostics: [unclear(place, heading, message)] };
}
