/** Splits one simple command as a shell does: quotes, and a backslash before a character. Operators are not known here. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g)) {
    words.push(word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, unquote));
  }
  return words;
}

function unquote(_all: string, double?: string, single?: string, escaped?: string): string {
  return double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '';
}
