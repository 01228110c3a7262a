import { firstLine, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Answer } from '../../model/requests/messages.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import type { CommandContext } from '../context.ts';
import type { Style } from './style.ts';
import { formatTable } from './table.ts';
import { clip, wrap } from './text.ts';

type Look = Pick<CommandContext, 'style' | 'columns'>;

/** What became of a message that was sent, and what comes next. */
export function formatSent(
  id: string,
  outcome: RouteOutcome | undefined,
  style: Style,
  what: 'message' | 'question' = 'message',
): string[] {
  const later = what === 'question' ? `ravel answer ${id}` : `ravel route ${id}`;
  if (outcome === undefined) {
    return [`The ${what} ${id} looks for its receiver.`, `    ${style.accent('ravel routing')}`];
  }
  if (outcome.kind === 'waiting') {
    return [
      `The ${what} ${id} waits for you: ${firstLine(outcome.reason)}`,
      `    ${style.accent(`ravel approvals show ${outcome.approval}`)}`,
    ];
  }
  if (outcome.kind === 'refused') return [`The ${what} ${id} could not be sent: ${outcome.reason}.`];
  if (what === 'message' && outcome.to.startsWith('expert:')) {
    return [
      `${outcome.to} was sent the message, and will decline it: experts take in no tasks yet.`,
      `    ${style.accent(later)}`,
    ];
  }
  const has = what === 'question' ? `${outcome.to} is asked` : `${outcome.to} has the message`;
  return [`${style.good('✓')} ${has}: ${id}`, `    ${style.accent(later)}`];
}

/** An answer with what it rests on. */
export function formatAnswer({ by, state, text, citations, usd }: Answer, { style, columns }: Look): string[] {
  const sign = state === 'answered' ? style.good('✓') : style.bad('✗');
  const cost = usd === undefined ? '' : style.faint(`  ${usd.toFixed(2)} $`);
  const said = text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrap(line, columns - 2)))
    .map((line) => `  ${line}`);
  const rests =
    citations.length === 0 ? [] : ['', style.faint(clip(`  It rests on: ${citations.join(', ')}`, columns))];
  return [`${sign} ${by} ${state === 'answered' ? 'answers' : 'does not answer'}:${cost}`, ...said, ...rests];
}

export function formatPending({ pending, total }: RequestResults['routing'], { style, columns }: Look): string[] {
  if (total === 0) {
    return [
      'No message looks for its receiver. See `ravel approvals` for those that wait for you, `ravel route` for the past.',
    ];
  }
  const rows = pending.map(({ message, type = '?', from = '?', state, subject }) => [
    ...[message, type, from, state, subject],
  ]);
  const more = total > pending.length ? [`and ${plural(total - pending.length, 'message')} more`] : [];
  return [...formatTable(['MESSAGE', 'TYPE', 'FROM', 'STATE', 'SUBJECT'], rows, style, columns), ...more];
}

export interface ReceivedRow {
  readonly id: string;
  readonly from: string;
  readonly at: string;
  readonly reason: string;
  readonly body: string;
  readonly state: string;
  readonly task?: string | null;
  readonly declined_reason?: string | null;
}

/** Each message with what is asked, and below them the commands that answer one. */
export function formatReceived(rows: readonly ReceivedRow[], plan: string, { style, columns }: Look): string[] {
  if (rows.length === 0) return ['Nothing waits under "received".'];
  const lines = rows.flatMap(({ id, from, reason, body, state, task, declined_reason: declined }) => {
    const became =
      state === 'new'
        ? ''
        : style.faint(`  ${state}${task ? ` as ${task}` : declined ? `: ${firstLine(declined)}` : ''}`);
    const said = wrap(firstLine(body), columns - 4).slice(0, 3);
    return [
      `${style.strong(id)}  ${from}${became}`,
      `  ${style.faint(clip(firstLine(reason), columns - 2))}`,
      ...said.map((line) => `    ${line}`),
      '',
    ];
  });
  const first = rows.find(({ state }) => state === 'new');
  if (first === undefined) return lines.slice(0, -1);
  const end = first.id.slice(-6);
  return [
    ...lines,
    style.accent(`ravel received promote ${plan} ${end} --title TITLE --category CATEGORY`),
    style.accent(`ravel received decline ${plan} ${end} --reason WHY`),
  ];
}
