import { Lexer } from 'yaml';

/** Far above what any file of ours needs, and far below what ends a process. */
const openMax = 200;

/**
 * Whether more is open at once than the parser bears, which calls itself for each level: it would use up the stack, and that
 * can end the process.
 */
export function isTooDeep(text: string): boolean {
  return blockDepth(text) > openMax || (hasOpenBrackets(text) && bracketDepth(text) > openMax);
}

/** Bytes of a YAML file that is read; a larger one is refused, so that one file cannot take all memory. */
export const yamlBytesMax = 16 * 1024 * 1024;

export function isTooLarge(text: string): boolean {
  return text.length * 3 > yamlBytesMax && Buffer.byteLength(text) > yamlBytesMax;
}

/** Lines, or marks, blanks, line ends and scalars. A log of 160 kB has 2,800 of them; each costs the parser up to 4 µs. */
export const yamlPartsMax = 24 * 1024;

/** Whether the parser would take too long: its time goes by the parts of a text rather than by its length. */
export function hasTooManyParts(text: string): boolean {
  if (text.length <= yamlPartsMax) return false;
  let lines = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines += 1;
  if (lines > yamlPartsMax) return true;
  let parts = 0;
  for (const _ of new Lexer().lex(text)) {
    parts += 1;
    if (parts > yamlPartsMax) return true;
  }
  return false;
}

/** The result of `parse` by a parser that makes an error for each mistake: their stacks would take ten times the time. */
export function withoutStacks<T>(parse: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** How deep lines are set in below each other, dashes in one line included; lines of texts count as well. */
function blockDepth(text: string): number {
  const indents: number[] = [];
  let deepest = 0;
  for (let at = 0; at >= 0 && at < text.length; ) {
    let first = at;
    while (text[first] === ' ') first += 1;
    const indent = first - at;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    let dashes = 0;
    while ((text[first] === '-' || text[first] === '?') && isBlank(text[first + 1])) {
      dashes += 1;
      first += 2;
      while (isBlank(text[first])) first += 1;
    }
    deepest = Math.max(deepest, indents.length + dashes);
    const end = text.indexOf('\n', first);
    at = end < 0 ? -1 : end + 1;
  }
  return deepest;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Whether more than `openMax` brackets are open anywhere, counting those in texts. */
function hasOpenBrackets(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) open += 1;
    else if (code === 0x5d || code === 0x7d) open = Math.max(0, open - 1);
    if (open > openMax) return true;
  }
  return false;
}

/** The mark before a scalar, as the lexer has it. */
const scalarMark = '\u001f';

/** How deep lists and mappings in brackets stand in each other. */
function bracketDepth(text: string): number {
  let open = 0;
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    if (!isText && (token === '[' || token === '{')) open += 1;
    else if (!isText && (token === ']' || token === '}')) open -= 1;
    if (open > openMax) return open;
    isText = token === scalarMark;
  }
  return openMax;
}
