/** Fields of a `-z` listing. File names are bytes: `latin1` keeps them exact, `utf8` makes them readable. */
export function splitNul(output: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  const text = output.toString(encoding);
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}
