/** Sequences that tell a terminal what to do: colours, cursor moves, titles, links. */
const escapeSequences = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
    String.raw`\u001b[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** What no reader sees, or what turns the direction of what follows; line ends and tabs stay. */
const hidden = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The text of a program as a page shows it: every character is one that a reader sees. */
export function readableText(text: string): string {
  return text.replace(escapeSequences, '').replace(/\r\n?/g, '\n').replace(hidden, '');
}

/** The beginning of a long text, cut at a line if there is one near, and how much was left out. */
export function cutAtLine(text: string, lengthMax: number): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= lengthMax) return { shown: text, isCut: false };
  const line = text.lastIndexOf('\n', lengthMax);
  const end = line > lengthMax / 2 ? line : lengthMax;
  // Never in the middle of a character.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return { shown: text.slice(0, isHalf ? end - 1 : end), isCut: true };
}
