/** The first version that a text names, such as the `2.1.0` of what a program says of itself. */
export function versionIn(text: string): string | undefined {
  for (const [number] of text.matchAll(/\d+(?:\.\d+)*/g)) if (number.includes('.')) return number;
  return undefined;
}

/** Compares number by number; a number that is not there counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => text.split('.').map(Number));
  for (let at = 0; at < Math.max(ours?.length ?? 0, theirs?.length ?? 0); at++) {
    const [one, other] = [ours?.[at] ?? 0, theirs?.[at] ?? 0];
    if (one !== other) return one < other;
  }
  return false;
}
