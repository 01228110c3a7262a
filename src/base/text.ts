/** The text with each stretch of white space as one space, and none at its ends. */
export function oneLine(text: string): string {
  const trimmed = text.trim();
  // Takes half of the time of a replacement, and most texts need neither.
  return /[^\S ]| {2}/.test(trimmed) ? trimmed.split(/\s+/).join(' ') : trimmed;
}

/** The text without these characters at its end, in time that grows with their number alone. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Every control character but the newline. */
const controls = /[^\P{Cc}\n]/gu;

/** Text of a session as a terminal may see it: nothing in it moves the cursor or changes a colour. */
export function harmless(text: string): string {
  return text.replaceAll('\t', '  ').replace(controls, '');
}

/** The first line, and an ellipsis if there is more. */
export function firstLine(text: string): string {
  const [first = '', ...rest] = harmless(text).trim().split('\n');
  return rest.some((line) => line.trim() !== '') ? `${first.trimEnd()} …` : first.trimEnd();
}

/** A title for a text: its first line, as one line of at most `charactersMax` characters, without any later line. */
export function headline(text: string, charactersMax: number): string {
  const [first = ''] = harmless(text).trim().split('\n', 1);
  return excerpt(first, charactersMax);
}

/** At most `charactersMax` characters from the beginning; no character is cut in two. */
export function firstCharacters(text: string, charactersMax: number): string {
  const last = text.charCodeAt(charactersMax - 1);
  return text.slice(
    0,
    text.length > charactersMax && last >= 0xd800 && last < 0xdc00 ? charactersMax - 1 : charactersMax,
  );
}

/** At most `charactersMax` characters from the beginning, with an ellipsis for the rest; no character is cut in two. */
export function beginning(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${firstCharacters(text, charactersMax - 1)}…`;
}

/** The beginning on one line, in time that does not grow with the text. */
export function excerpt(text: string, charactersMax: number): string {
  const readMax = 4 * charactersMax;
  const line = oneLine(text.slice(0, readMax));
  return beginning(text.length > readMax ? `${line} …` : line, charactersMax);
}

/** The beginning, and how much of the text is left out. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax)}\n(${text.length - charactersMax} more characters are left out)`;
}

/** With a capital at its beginning, as a sentence has. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `0:07`, `12:30`, `1:02:03`. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const seconds = String(total % 60).padStart(2, '0');
  const minutes = Math.floor(total / 60) % 60;
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/** `812 B`, `12.3 kB`, `4.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `950`, `12,300`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US', { maximumFractionDigits: 0 });
}

export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : several}`;
}

/** `3 tasks` from `{0} task` and `{0} tasks`: two whole texts, so that a translation can have both. */
export function counted(count: number, one: string, several: string): string {
  return (count === 1 ? one : several).replace('{0}', formatCount(count));
}

/** `an answer`, `a task`; by the letter, so not for `hour` or `user`. */
export function withArticle(noun: string): string {
  return `${'aeiou'.includes(noun.charAt(0).toLowerCase()) ? 'an' : 'a'} ${noun}`;
}

/** `$1.50` */
export function formatDollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/**
 * A word of a command that a person copies: as it is where a shell reads it so, else quoted. For a POSIX shell and, as long
 * as it has no quote in it, for PowerShell as well.
 */
export function shellWord(word: string): string {
  return /^[\w./~:=%-]+$/.test(word) ? word : shellQuoted(word);
}

/** A word for a POSIX shell: nothing in it means anything but itself. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Which text comes first by its UTF-16 units: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
