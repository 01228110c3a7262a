/** A terminal that can hand over each key unseen: `process.stdin`. */
export interface KeySource {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const enter = new Set(['\r', '\n']);
const interrupt = '\u0003';
const endOfInput = '\u0004';
const eraseLine = '\u0015';
const pasteMarks = ['\u001b[200~', '\u001b[201~'];
const erase = new Set(['\u0008', '\u007f']);

/**
 * One line that a person types, of which nothing is shown. Undefined if they end the input or interrupt it. Terminals
 * that mark pasted text have their marks left out.
 */
export function readHidden(
  keys: KeySource,
  { prompt, write }: { readonly prompt: string; readonly write: (text: string) => void },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const bytes: Buffer[] = [];
    const finish = (line: string | undefined) => {
      keys.off('data', take);
      keys.off('end', end);
      keys.setRawMode(false);
      keys.pause();
      write('\n');
      resolve(line);
    };
    const end = () => finish(undefined);
    const take = (chunk: Buffer) => {
      bytes.push(chunk);
      const typed = lineOf(Buffer.concat(bytes).toString('utf8'));
      if (typed !== undefined) finish(typed.line);
    };
    // Before the prompt: what is typed after it must not be shown by the terminal.
    keys.setRawMode(true);
    keys.on('data', take);
    keys.on('end', end);
    keys.resume();
    write(prompt);
  });
}

/** What the keys up to Enter came to; undefined while there was no Enter. */
function lineOf(typed: string): { readonly line: string | undefined } | undefined {
  const line: string[] = [];
  for (const key of pasteMarks.reduce((text, mark) => text.replaceAll(mark, ''), typed)) {
    if (enter.has(key)) return { line: line.join('') };
    if (key === interrupt || (key === endOfInput && line.length === 0)) return { line: undefined };
    if (erase.has(key)) line.pop();
    else if (key === eraseLine) line.length = 0;
    else if (key !== endOfInput) line.push(key);
  }
  return undefined;
}
