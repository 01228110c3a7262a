import { isPlaceholder } from '../model/backlog.ts';
import type { MemoryEntry } from '../model/memory.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';
import type { Converted } from './markdownBacklog.ts';
import {
  addRange,
  type Heading,
  joinLines,
  type LineRange,
  type MarkdownText,
  parseMarkdown,
  type Section,
} from './markdownLines.ts';
import { createSlugs } from './slugs.ts';
import { ImportWarnings } from './warnings.ts';

/**
 * The entries of a memory in Markdown: one for each heading of the second level, with all that stands below it. If that
 * holds headings of the third level, each of these is an entry with the section as its tag, and what stands above them is
 * the section's own.
 */
export function convertMemory(given: string, place: YamlPlace): Converted<MemoryEntry> {
  const text = parseMarkdown(given);
  const warnings = new ImportWarnings(place);
  const { sections, rest } = splitSections(text, entryLevel(text));
  if (sections.length === 0) return withoutSections(text, warnings);
  const slug = createSlugs('entry');
  const entries: MemoryEntry[] = [];
  for (const { part, tag, isWhole } of partsOf(text, sections)) {
    const { line, title } = part.heading;
    const body = joinLines(text, [part]);
    if (title !== '' && !isPlaceholder(body)) {
      entries.push({ id: slug(title), title, body, ...(tag !== undefined && { tags: [tag] }) });
      continue;
    }
    // The heading of a section whose learnings have its title as their tag.
    if (!isWhole && body === '' && title !== '') continue;
    const problem = title === '' ? 'has no title' : 'is empty';
    warnings.add(line, () => `The section "${title}" ${problem}, so it is not an entry.`);
    addRange(rest, { start: line, end: part.end });
  }
  return { records: entries, prose: joinLines(text, rest), diagnostics: warnings.all() };
}

interface Part {
  readonly part: Section;
  /** The section that it stands in, if that has a title. */
  readonly tag: string | undefined;
  /** Whether it is not merely what stands above the learnings of a section. */
  readonly isWhole: boolean;
}

/** Sections, and in place of those that hold learnings what stands above these, and each of them. */
function partsOf({ headings }: MarkdownText, sections: readonly Section[]): Part[] {
  const parts: Part[] = [];
  let next = 0;
  for (const section of sections) {
    const { heading, end } = section;
    const inside: Heading[] = [];
    for (; next < headings.length; next++) {
      const one = headings[next];
      if (one === undefined || one.line >= end) break;
      if (heading.level === 2 && one.level === 3 && one.line > heading.line) inside.push(one);
    }
    parts.push({ part: { ...section, end: inside[0]?.line ?? end }, tag: undefined, isWhole: inside.length === 0 });
    const tag = heading.title === '' ? undefined : heading.title;
    for (const [n, one] of inside.entries()) {
      const part = { heading: one, start: one.line + 1, end: inside[n + 1]?.line ?? end };
      parts.push({ part, tag, isWhole: true });
    }
  }
  return parts;
}

/** The second level, or the highest one below it that the text has. */
function entryLevel({ headings }: MarkdownText): number {
  let highest = 6;
  for (const { level } of headings) if (level > 1) highest = Math.min(highest, level);
  return highest;
}

function splitSections(text: MarkdownText, entry: number): { sections: Section[]; rest: LineRange[] } {
  const sections: Section[] = [];
  const rest: LineRange[] = [];
  let open: Heading | undefined;
  let start = 0;
  for (const heading of text.headings) {
    const { line, level } = heading;
    if (level > entry) continue;
    closeAt(line);
    open = level === entry ? heading : undefined;
    start = open === undefined ? line : line + 1;
  }
  closeAt(text.lines.length);
  return { sections, rest };

  function closeAt(end: number): void {
    if (open === undefined) addRange(rest, { start, end });
    else sections.push({ heading: open, start, end });
  }
}

/** A memory without headings is still something that was learned: one entry. */
function withoutSections(text: MarkdownText, warnings: ImportWarnings): Converted<MemoryEntry> {
  const end = text.lines.length;
  const [heading] = text.headings;
  const line = heading?.line ?? end;
  const others = [
    { start: 0, end: line },
    { start: line + 1, end },
  ];
  const body = joinLines(text, others);
  if (body === '') return { records: [], prose: joinLines(text, [{ start: 0, end }]), diagnostics: [] };
  const title = heading?.title || 'Memory';
  const message = () => 'No heading separates entries, so all of it is one entry.';
  warnings.add(heading?.line, message);
  const entry = { id: createSlugs('entry')(title), title, body };
  return { records: [entry], prose: '', diagnostics: warnings.all() };
}
