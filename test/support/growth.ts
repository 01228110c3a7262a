/** A text of any length: what it begins with, a unit again and again, perhaps another one as often, and its end. */
export interface Shape {
  readonly before?: string;
  /**
   * Each `\u0001` in it becomes the number of the repetition, so that no two are alike; each `\u0002` the same in marks
   * alone, of which no id is made.
   */
  readonly unit: string;
  /** Takes the second half of the text. */
  readonly second?: string;
  readonly after?: string;
}

export function textOf({ before = '', unit, second = '', after = '' }: Shape, length: number): string {
  const rest = Math.max(1, length - before.length - after.length);
  const half = Math.ceil(rest / 2);
  return before + (second === '' ? repeated(unit, rest) : repeated(unit, rest - half) + repeated(second, half)) + after;
}

function repeated(unit: string, length: number): string {
  if (!unit.includes('\u0001') && !unit.includes('\u0002'))
    return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const parts: string[] = [];
  for (let [n, size] = [0, 0]; size < length; n++) {
    const inMarks = n.toString(8).replace(/\d/g, (digit) => '!?+=;.,%'.charAt(Number(digit)));
    const part = unit.replaceAll('\u0001', n.toString(36)).replaceAll('\u0002', inMarks);
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

/**
 * How many times as long a text of 8 times the length takes: about 8 if the time is linear, 64 if it is quadratic. Of
 * several rounds the shortest times count, since others only ever add to a time; what is below `enough` needs no further
 * round.
 */
export function growthOf(
  read: (text: string) => unknown,
  shape: Shape,
  { length = 4096, rounds = 12, enough = Number.POSITIVE_INFINITY } = {},
): number {
  const [short, long] = [textOf(shape, length), textOf(shape, length * 8)];
  let [ofShort, ofLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    for (let again = 0; again < 8; again++) ofShort = Math.min(ofShort, workOf(read, short));
    ofLong = Math.min(ofLong, workOf(read, long));
    if (round > 0 && ofLong / ofShort < enough) break;
  }
  return ofLong / ofShort;
}

/** Milliseconds of the clock. */
export function timeOf(read: (text: string) => unknown, text: string): number {
  const start = performance.now();
  read(text);
  return performance.now() - start;
}

/** Milliseconds of the processor: a machine with much else to do does not change them. */
function workOf(read: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
