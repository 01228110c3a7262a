/** The text with each stretch of white space as one space, and none at its ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
