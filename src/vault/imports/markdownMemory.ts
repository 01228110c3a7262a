import type { MemoryEntry } from '../../model/memory.ts';
import type { YamlPlace } from '../yamlDocument.ts';
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

/** The entries of a memory in Markdown: one for each heading of the second level, with all that stands below it. */
export function convertMemory(given: string, place: YamlPlace): Converted<MemoryEntry> {
  const text = parseMarkdown(given);
  const warnings = new ImportWarnings(place);
  const { sections, rest } = splitSections(text, entryLevel(text));
  if (sections.length === 0) return withoutSections(text, warnings);
  const slug = createSlugs('entry');
  const entries: MemoryEntry[] = [];
  for (const section of sections) {
    const { line, title } = section.heading;
    const body = joinLines(text, [section]);
    if (body === '' || title === '') {
      const problem = title === '' ? 'has no title' : 'is empty';
      warnings.add(line, () => `The section "${title}" ${problem}, so it is no entry.`);
      addRange(rest, { start: line, end: section.end });
      continue;
    }
    entries.push({ id: slug(title), title, body });
  }
  return { records: entries, prose: joinLines(text, rest), diagnostics: warnings.all() };
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
  const message = () => 'There is no heading that could part entries, so all of it is one entry.';
  warnings.add(heading?.line, message);
  const entry = { id: createSlugs('entry')(title), title, body };
  return { records: [entry], prose: '', diagnostics: warnings.all() };
}
