/** A part of a text keeps the whole of it in memory; what is kept for long is therefore copied. */
export function ownCopy(part: string): string {
  return part.length < 13 ? part : Buffer.from(part, 'utf16le').toString('utf16le');
}
