import { padEnd, widthOf, wrap } from './text.ts';

/** A command or a path, and what it does or has; the meaning can be empty. */
export type LabelledCommand = readonly [command: string, meaning: string];

/**
 * Commands to copy, below a heading: each stands whole on a line of its own, without punctuation. Their meanings stand
 * beside them if the lines hold all of them, and else below.
 */
export function formatCommandRows(heading: string, rows: readonly LabelledCommand[], columns: number): string[] {
  const width = Math.max(...rows.map(([command]) => widthOf(command)));
  const fits = rows.every(([, meaning]) => width + widthOf(meaning) + 5 <= columns);
  const format = ([command, meaning]: LabelledCommand) =>
    fits
      ? [`  ${padEnd(command, width)}   ${meaning}`.trimEnd()]
      : [`  ${command}`, ...(meaning === '' ? [] : wrap(meaning, columns - 6).map((line) => `      ${line}`))];
  return [heading, ...rows.flatMap(format)];
}
