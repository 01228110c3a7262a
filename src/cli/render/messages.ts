import { firstLine, formatDollars, plural, shellWord } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Answer, AskedBackRow } from '../../model/requests/messages.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import type { Style, TextLayout } from './style.ts';
import { formatTable } from './table.ts';
import { clip, wrap } from './text.ts';

/** What became of a message that was sent, and what comes next. */
export function formatSent(
  id: string,
  outcome: RouteOutcome | undefined,
  style: Style,
  what: 'message' | 'question' = 'message',
): string[] {
  const later = what === 'question' ? `ravel answer ${id}` : `ravel route ${id}`;
  if (outcome === undefined) {
    return [`The ${what} ${id} is being routed.`, `    ${style.accent('ravel routing')}`];
  }
  if (outcome.kind === 'waiting') {
    return [
      `The ${what} ${id} needs your decision: ${firstLine(outcome.reason)}`,
      `    ${style.accent(`ravel approvals show ${outcome.approval}`)}`,
    ];
  }
  if (outcome.kind === 'refused') return [`The ${what} ${id} could not be sent: ${outcome.reason}.`];
  if (what === 'message' && outcome.to.startsWith('expert:')) {
    return [
      `${outcome.to} was sent the message, but will decline it: an expert only answers questions.`,
      `    ${style.accent(later)}`,
    ];
  }
  const has =
    what === 'question' ? `${outcome.to} is asked` : `In the mailbox of ${outcome.to}, which has not read it yet`;
  return [`${style.good('✓')} ${has}: ${id}`, `    ${style.accent(what === 'question' ? later : 'ravel actors')}`];
}

/** What a receiver did with a message that was delivered to it. */
export type DeliveryOutcome =
  | { readonly kind: 'read'; readonly to: string }
  | { readonly kind: 'declined' | 'dead'; readonly to: string; readonly reason: string };

export function formatDelivery(id: string, delivery: DeliveryOutcome, style: Style): string[] {
  const { to } = delivery;
  const bad = style.bad('✗');
  switch (delivery.kind) {
    case 'read':
      return [`${style.good('✓')} ${to} has the message: ${id}`, `    ${style.accent(`ravel route ${id}`)}`];
    case 'declined':
      return [`${bad} ${to} declined the message ${id}: ${firstLine(delivery.reason)}`];
    case 'dead':
      return [
        `${bad} ${to} could not take in the message ${id}: ${firstLine(delivery.reason)}`,
        '  It is kept as a dead letter until you deliver it again or discard it.',
        `    ${style.accent('ravel dead-letters')}`,
      ];
  }
}

/** What a note waits for: a running session, triage, or a plan that has not taken it in yet. */
export function formatNoteSent(
  { message, to, session, delivery }: RequestResults['send'] & { readonly delivery?: DeliveryOutcome },
  style: Style,
): string[] {
  if (session !== undefined) return ['The running session gets the note with its next step.'];
  if (delivery === undefined) {
    return [
      `The note is in the mailbox of ${to}, which has not read it yet: ${message}`,
      `    ${style.accent('ravel actors')}`,
    ];
  }
  if (delivery.kind === 'read') return [`No session is running; the note waits under "received" of ${to}.`];
  return formatDelivery(message, delivery, style);
}

/** An answer with what it rests on. */
export function formatAnswer(answer: Answer, { style, columns }: TextLayout): string[] {
  const { by, state, text, citations, usd, isByPerson, isSupported, passages = [], reusedFrom } = answer;
  const sign = state === 'answered' ? style.good('✓') : style.bad('✗');
  const cost = usd === undefined ? '' : style.faint(`  ${formatDollars(usd)}`);
  const rests = citations.length === 0 ? [] : ['', style.faint(clip(`  Sources: ${citations.join(', ')}`, columns))];
  const quotes = passages.flatMap(({ title, passage }) => [
    `  ${style.faint(`${title}:`)}`,
    ...indented(`“${passage}”`, columns - 2).map((line) => `  ${line}`),
  ]);
  const doubt = isSupported === false ? ['', style.bad('  None of its sources could be checked.')] : [];
  const again =
    reusedFrom === undefined ? [] : ['', style.faint(`  From receipt ${reusedFrom}: nothing has changed since.`)];
  const who =
    isByPerson === true
      ? `A person answers for ${by}`
      : `${by} ${state === 'answered' ? 'answers' : 'does not answer'}`;
  return [`${sign} ${who}:${cost}`, ...indented(text, columns), ...doubt, ...rests, ...quotes, ...again];
}

function indented(text: string, columns: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrap(line, columns - 2)))
    .map((line) => `  ${line}`);
}

/** What an expert wants to know before it answers, and how to reply. */
export function formatAskedBack(query: string, { by, text }: AskedBackRow, { style, columns }: TextLayout): string[] {
  return [
    `${style.strong('?')} ${by} asks back:`,
    ...indented(text, columns),
    `    ${style.accent(`ravel reply ${query} TEXT`)}`,
  ];
}

/** Where a question stands that has no answer yet, and what a person can do. */
export function formatUnanswered(query: string, pending: RequestResults['answer']['pending']): string[] {
  const state = pending?.state ?? 'it is asked';
  if (state.startsWith('refused')) return [`There will be no answer: ${state}.`, `    ravel route ${query}`];
  const command =
    pending?.approval !== undefined || state.startsWith('waits for a person')
      ? 'ravel approvals'
      : state.endsWith('waits for an owner of the vault')
        ? 'ravel daemon'
        : `ravel route ${query}`;
  return [`There is no answer yet: ${state}.`, `    ${command}`];
}

export function formatPending({ pending, total }: RequestResults['routing'], { style, columns }: TextLayout): string[] {
  if (total === 0) {
    return [
      'No message is being routed. See `ravel approvals` for messages that need your decision, and `ravel route` for the past.',
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
export function formatReceived(rows: readonly ReceivedRow[], plan: string, { style, columns }: TextLayout): string[] {
  if (rows.length === 0) return ['No messages wait under "received".'];
  const lines = rows.flatMap(({ id, from, reason, body, state, task, declined_reason: declined }) => {
    const became =
      state === 'new'
        ? ''
        : style.faint(`  ${state}${task ? ` as ${task}` : declined ? `: ${firstLine(declined)}` : ''}`);
    const text = wrap(firstLine(body), columns - 2).slice(0, 3);
    return [
      `${style.strong(id)}  ${from}${became}`,
      ...text.map((line) => `  ${line}`),
      `  ${style.faint(clip(`because: ${firstLine(reason)}`, columns - 2))}`,
      '',
    ];
  });
  const first = rows.find(({ state }) => state === 'new');
  if (first === undefined) return lines.slice(0, -1);
  const end = first.id.slice(-6);
  return [
    ...lines,
    style.accent(`ravel received promote ${shellWord(plan)} ${end} --title TITLE --category CATEGORY`),
    style.accent(`ravel received decline ${shellWord(plan)} ${end} --reason WHY`),
  ];
}
