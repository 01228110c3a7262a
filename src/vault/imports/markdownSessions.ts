import type { Diagnostic } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { SessionRecord } from '../../model/session.ts';
import type { YamlPlace } from '../yamlDocument.ts';
import { type Converted, unclear } from './markdownBacklog.ts';
import { joinLines, type MarkdownLine, markdownLines } from './markdownLines.ts';
import { createSlugs } from './slugs.ts';

/** The records of a session log in Markdown: one for each heading `Session N (timestamp) — title`. */
export function convertSessions(text: string, place: YamlPlace): Converted<SessionRecord> {
  const { blocks, rest } = splitBlocks(markdownLines(text));
  const diagnostics: Diagnostic[] = [];
  const slug = createSlugs('session');
  const records = blocks.map(({ heading, title, lines }): SessionRecord => {
    const { number, timestamp, words } = title;
    if (timestamp === '') {
      diagnostics.push(unclear(place, heading, `The session "${heading.heading?.title ?? ''}" says no time.`));
    }
    const date = /^\d{4}-\d\d-\d\d/.exec(timestamp)?.[0] ?? '';
    const id = slug(words === '' ? `${date} session ${number}` : `${date} ${words}`);
    const body = [words === '' ? '' : `**${words}**\n`, joinLines(lines)].filter((part) => part !== '').join('\n');
    return { id, timestamp, phase: 'work', body, number: /^\d{1,9}$/.test(number) ? Number(number) : number };
  });
  return { records, prose: joinLines(rest), diagnostics };
}

interface SessionTitle {
  readonly number: string;
  readonly timestamp: string;
  readonly words: string;
}

interface Block {
  readonly heading: MarkdownLine;
  readonly title: SessionTitle;
  readonly lines: MarkdownLine[];
}

function splitBlocks(lines: readonly MarkdownLine[]): { blocks: Block[]; rest: MarkdownLine[] } {
  const blocks: Block[] = [];
  const rest: MarkdownLine[] = [];
  let open: { readonly level: number; readonly lines: MarkdownLine[] } | undefined;
  for (const line of lines) {
    const { heading } = line;
    const title = heading === undefined ? undefined : parseSessionTitle(heading.title);
    if (heading !== undefined && title !== undefined) {
      const block: Block = { heading: line, title, lines: [] };
      blocks.push(block);
      open = { level: heading.level, lines: block.lines };
      continue;
    }
    if (heading !== undefined && open !== undefined && heading.level <= open.level) open = undefined;
    (open?.lines ?? rest).push(line);
  }
  return { blocks, rest };
}

function parseSessionTitle(text: string): SessionTitle | undefined {
  const match = /^Session (\d[^ :(]{0,19}):?(?: \(([^()]*)\))?(?:(?: ?[—–:] ?| - )(.*))?$/is.exec(oneLine(text));
  if (match === null) return undefined;
  const [, number = '', timestamp = '', words = ''] = match;
  return { number, timestamp: timestamp.trim(), words: words.trim() };
}
