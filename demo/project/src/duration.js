const unitMs = { h: 3_600_000, m: 60_000, s: 1_000 };

/** Milliseconds in a duration such as `2h` or `45s`. */
export function parseDuration(text) {
  const match = /^(\d+)([hms])$/.exec(text);
  if (match === null) throw new Error(`not a duration: ${text}`);
  return Number(match[1]) * unitMs[match[2]];
}
