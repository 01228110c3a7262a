import { t } from '@vscode/l10n';

/** Marks that join, hide or turn what stands beside them, beside the control characters that `id.ts` names. */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]+/gu;

/** What a row has room for, in any window. */
const labelLengthMax = 200;

/**
 * The text as one honest line: a character that would move, hide or turn the letters around it becomes a space, and a
 * text too long to read is cut. Every foreign name and text goes through it before it is part of a view.
 */
export function sanitizeLabel(text: string, lengthMax = labelLengthMax): string {
  // Cut twice: cleaning five million characters for two hundred would hold up the window.
  const clean = cut(text, lengthMax * 4)
    .replace(invisible, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\s+/g, ' ');
  return cut(clean.trim(), lengthMax);
}

/** As `sanitizeLabel`, for the few places where the editor draws `$(name)` as a picture. */
export function plainChoice(text: string, lengthMax = labelLengthMax): string {
  return sanitizeLabel(text, lengthMax).replaceAll('$(', '\\$(');
}

/** As `sanitizeLabel`, for a notification: there the editor makes a link of `[name](command:…)`, which runs what it names. */
export function plainNotice(text: string, lengthMax = 600): string {
  return sanitizeLabel(text, lengthMax).replaceAll('](', '] (');
}

/** The text as Markdown that shows it letter by letter, in one paragraph. */
export function plainMarkdown(text: string, lengthMax = 600): string {
  return sanitizeLabel(text, lengthMax).replace(
    /[\\`*_{}[\]()#+\-.!<>|~$&@:/]/g,
    (letter) => `&#${letter.codePointAt(0)};`,
  );
}

/** A long text line by line, without what an editor would obey or could not hold. */
export function plainText(text: string, lengthMax = 200_000): string {
  const shown = text.length > lengthMax ? t`${cut(text, lengthMax)}\n${text.length - lengthMax} more characters` : text;
  return shown.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

/** The same as a block of Markdown in which nothing is drawn. */
export function plainBlock(text: string, lengthMax?: number): string {
  return codeBlock(plainText(text, lengthMax).trimEnd(), 'text');
}

/** A block of code in Markdown, with a fence that nothing inside can close. */
export function codeBlock(text: string, language: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 0);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
