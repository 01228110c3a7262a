import { harmless, oneLine, plural, shellWord } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { LeftFileRow } from '../../model/requests/inspect.ts';
import type { Style } from './style.ts';

/** What came of putting files back. */
export function formatPutBack(
  { plan, done, already, refused, more }: RequestResults['put_back'],
  to: 'before' | 'after',
  style: Style,
): string[] {
  const how = to === 'before' ? 'as it was before the session' : 'as the session left it';
  const [first] = done;
  const files = first !== undefined && done.length === 1 ? shellPath(first) : '--all';
  const named = shellWord(plan);
  const undo =
    to === 'before'
      ? `\`ravel changes ${named} --undo-put-back ${files}\``
      : `\`ravel changes ${named} --put-back ${files}\``;
  return [
    ...done.map((path) => `${style.good('✓')} ${shown(path)}  ${style.faint(how)}`),
    ...already.map((path) => `${style.faint('=')} ${shown(path)}  ${style.faint(`${how} already`)}`),
    ...refused.map(({ path, why }) => `${style.bad('✗')} ${shown(path)}  left as it is: ${harmless(oneLine(why))}`),
    ...(more === 0 ? [] : [`${style.bad('✗')} ${unrecorded(more)}`]),
    ...(done.length === 0 ? [] : [`To undo this: ${undo}.`]),
    ...(done.length + already.length + refused.length + more === 0 ? ['The session had changed no file.'] : []),
  ];
}

/** How what a session left can be put back, for the end of its changes. */
export function formatLeft(plan: string, left: readonly LeftFileRow[], style: Style): string[] {
  const can = left.filter(({ now, why }) => now === 'left' && why === undefined);
  const cannot = left.filter(({ now, why }) => now === 'left' && why !== undefined);
  const changed = left.filter(({ now }) => now === 'changed');
  const back = left.filter(({ now, isKept }) => now === 'before' && isKept);
  const command = `ravel changes ${shellWord(plan)}`;
  return [
    ...(can.length === 0
      ? []
      : [`${plural(can.length, 'file')} can be put back: \`${command} --put-back PATH\`, or \`--put-back --all\`.`]),
    ...changed.map(({ path }) => style.faint(`  ${shown(path)}: changed after the session, so it stays as it is`)),
    ...cannot.map(({ path, why = '' }) => style.faint(`  ${shown(path)}: cannot be put back, since ${harmless(why)}`)),
    ...back.map(({ path }) => style.faint(`  ${shown(path)}: put back; \`--undo-put-back\` brings the change again`)),
  ];
}

function unrecorded(more: number): string {
  const stay = more === 1 ? 'stays as it is' : 'stay as they are';
  return `${plural(more, 'more file')} that the session changed ${stay}, since only the first 10,000 are recorded. Put them back with git.`;
}

/** A path as an argument that no program takes for an option. */
function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}

function shown(path: string): string {
  return harmless(oneLine(path));
}
