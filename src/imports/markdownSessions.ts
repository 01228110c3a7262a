import { oneLine } from '../base/text.ts';
import type { SessionRecord } from '../model/session.ts';
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

/** The records of a session log in Markdown: one for each heading `Session N (timestamp) — title`. */
export function convertSessions(given: string, place: YamlPlace): Converted<SessionRecord> {
  const text = parseMarkdown(given);
  const { blocks, rest } = splitBlocks(text);
  const warnings = new ImportWarnings(place);
  const slug = createSlugs('session');
  const records = blocks.map((block): SessionRecord => {
    const { number, timestamp, words } = block.title;
    if (timestamp === '') {
      const { line, title } = block.heading;
      warnings.add(line, () => `The session "${title}" has no time.`);
    }
    const date = /^\d{4}-\d\d-\d\d/.exec(timestamp)?.[0] ?? '';
    const id = slug(words === '' ? `${date} session ${number}` : `${date} ${words}`);
    const body = [words === '' ? '' : `**${words}**\n`, joinLines(text, [block])]
      .filter((part) => part !== '')
      .join('\n');
    return { id, timestamp, phase: 'work', body, number: /^\d{1,9}$/.test(number) ? Number(number) : number };
  });
  return { records, prose: joinLines(text, rest), diagnostics: warnings.all() };
}

interface SessionTitle {
  readonly number: string;
  readonly timestamp: string;
  readonly words: string;
}

interface Block extends Section {
  readonly title: SessionTitle;
}

function splitBlocks(text: MarkdownText): { blocks: Block[]; rest: LineRange[] } {
  const blocks: Block[] = [];
  const rest: LineRange[] = [];
  let open: { readonly heading: Heading; readonly title: SessionTitle } | undefined;
  let start = 0;
  for (const heading of text.headings) {
    const title = parseSessionTitle(heading.title);
    if (title !== undefined) {
      closeAt(heading.line);
      open = { heading, title };
      start = heading.line + 1;
    } else if (open !== undefined && heading.level <= open.heading.level) {
      closeAt(heading.line);
      open = undefined;
      start = heading.line;
    }
  }
  closeAt(text.lines.length);
  return { blocks, rest };

  function closeAt(end: number): void {
    if (open === undefined) addRange(rest, { start, end });
    else blocks.push({ heading: open.heading, title: open.title, start, end });
  }
}

function parseSessionTitle(text: string): SessionTitle | undefined {
  if (!/^session /i.test(text)) return undefined;
  const match = /^Session (\d[^ :(]{0,19}):?(?: \(([^()]*)\))?(?:(?: ?[—–:] ?| - )(.*))?$/is.exec(oneLine(text));
  if (match === null) return undefined;
  const [, number = '', timestamp = '', words = ''] = match;
  return { number, timestamp: timestamp.trim(), words: words.trim() };
}
