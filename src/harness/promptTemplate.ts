import type { Position, Range } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { formatPromptText, holdsData, ownWords, type PromptText } from '../model/promptText.ts';
import { isTemplateToken, type TemplateToken } from '../model/promptTokens.ts';

/** A prompt file, parsed once. Pieces in order; together they are the whole file. */
export interface Template {
  readonly file: string;
  readonly pieces: readonly Piece[];
  /** Names of the tokens, each once, sorted: exactly the values that rendering wants. */
  readonly tokens: readonly TemplateToken[];
}

type Piece = { readonly text: string } | { readonly token: TemplateToken };

/** One stretch of a rendered prompt: `template` for the file's own words, else the token whose value it is. */
export interface PromptPart {
  readonly name: TemplateToken | 'template';
  readonly text: string;
}

export type PromptValues = Readonly<Record<string, PromptText>>;

export interface RenderedPrompt {
  readonly text: string;
  /** In order; their texts joined are `text`. Empty ones are left out. */
  readonly parts: readonly PromptPart[];
}

/** Anything that looks meant as a token; `{{not-a-token}}` and single braces are ordinary text. */
const tokenPattern = /\{\{([A-Za-z0-9_]+)\}\}/g;

/** Throws `prompt/badToken`, naming all tokens that no prompt can have. */
export function parseTemplate(text: string, file: string): Template {
  const pieces: Piece[] = [];
  const tokens = new Set<TemplateToken>();
  const unknown = new Set<string>();
  let end = 0;
  for (const match of text.matchAll(tokenPattern)) {
    const [whole, token = ''] = match;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    if (isTemplateToken(token)) {
      pieces.push({ token });
      tokens.add(token);
    } else {
      unknown.add(token);
    }
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });

  const [first] = [...unknown].sort();
  if (first !== undefined) {
    const message = `${file} has tokens that do not exist: ${[...unknown].sort().join(', ')}`;
    throw failure('prompt/badToken', file, message, { file, range: rangeOf(text, `{{${first}}}`) });
  }
  return { file, pieces, tokens: [...tokens].sort() };
}

/**
 * Puts the values in. A value is opaque: braces inside it stay what they are, and what others wrote stands between fences
 * on lines of its own. Throws `prompt/badToken` when `values` and
 * the template's tokens are not the same set, naming every token that is one too few or one too many.
 */
export function renderTemplate(template: Template, values: PromptValues): RenderedPrompt {
  const missing = template.tokens.filter((token) => !Object.hasOwn(values, token));
  const unused = Object.keys(values)
    .filter((token) => !template.tokens.some((known) => known === token))
    .sort();
  if (missing.length > 0 || unused.length > 0) {
    const problems = [
      ...(missing.length > 0 ? [`has no value for ${missing.join(', ')}`] : []),
      ...(unused.length > 0 ? [`does not use ${unused.join(', ')}`] : []),
    ];
    const message = `${template.file} ${problems.join(' and ')}`;
    throw failure('prompt/badToken', template.file, message, { file: template.file });
  }
  const parts: PromptPart[] = [];
  let end = '\n';
  let afterFence = false;
  for (const piece of template.pieces) {
    const value = 'text' in piece ? ownWords(piece.text) : (values[piece.token] ?? []);
    const text = formatPromptText(value);
    if (text === '') continue;
    // A fence counts only if it begins a line, and ends one.
    const isApart = end === '\n' && !afterFence;
    const gap = (holdsData(value) && !isApart) || (afterFence && !text.startsWith('\n')) ? '\n\n' : '';
    parts.push({ name: 'text' in piece ? 'template' : piece.token, text: gap + text });
    end = text.slice(-1);
    afterFence = holdsData(value);
  }
  return { text: parts.map((part) => part.text).join(''), parts };
}

function rangeOf(text: string, part: string): Range {
  const at = text.indexOf(part);
  return { start: positionAt(text, at), end: positionAt(text, at + part.length) };
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return { line, character: offset - (before.lastIndexOf('\n') + 1) };
}
