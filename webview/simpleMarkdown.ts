/** A mark that finds no partner is looked for again and again: 2,700 of them in one paragraph take the library over half a second. */
const marksMax = 250;
/** The library calls itself for each level. */
const depthMax = 50;
const charactersMax = 50_000;

/**
 * Whether a text can be read as Markdown in a moment: neither very long, nor with more marks in a paragraph or levels in a
 * line than a person would write.
 */
export function isSimpleMarkdown(text: string): boolean {
  if (text.length > charactersMax) return false;
  let marks = 0;
  for (const line of text.split('\n')) {
    const { depth, rest, isItem } = splitLevels(line);
    // A blank line ends a paragraph, and an item begins one.
    if (rest === '' || isItem) marks = 0;
    for (const character of rest) if (inlineMarks.has(character)) marks++;
    if (depth > depthMax || marks > marksMax) return false;
  }
  return true;
}

/** What stands before the words of a line: signs of quotes and lists, and spaces, of which four are a level. */
function splitLevels(line: string) {
  let depth = 0;
  let isItem = false;
  let at = 0;
  for (; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '>') depth++;
    else if (character === ' ') depth += 0.25;
    else if (character === '\t') depth++;
    else if (itemSigns.has(character) && ' \t'.includes(line[at + 1] ?? ' ')) [depth, isItem] = [depth + 1, true];
    else if (character < '0' || character > '9') break;
  }
  return { depth, rest: line.slice(at), isItem };
}

const itemSigns: ReadonlySet<string> = new Set(['-', '*', '+', '.', ')']);
const inlineMarks: ReadonlySet<string> = new Set(['*', '_', '~', '`', '[', ']', '(', '!', '<', '&', '@', '\\']);
