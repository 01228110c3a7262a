import { formatBytes, formatDollars, plural } from '../../base/text.ts';
import type { AnswerReceipt } from '../../model/receipt.ts';
import type { ReceiptComparison } from '../../model/requests/receipts.ts';
import { localTime } from '../localTime.ts';
import { plainText, sanitizeLabel } from '../sanitizeLabel.ts';

/** A stretch of a line that leads to a file of the vault. */
export interface ReceiptLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** From the vault on, with `/`. */
  readonly path: string;
}

export interface ReceiptDocument {
  readonly text: string;
  readonly links: readonly ReceiptLink[];
}

/** What is known of the entries now that an answer was made of; undefined if that is not known. */
export type ReceiptChange = ReceiptComparison | undefined;

/** A receipt as a page to read: the question, the answer, what it quotes, and what its session was given. */
export function receiptDocument(receipt: AnswerReceipt, change: ReceiptChange): ReceiptDocument {
  const expert = sanitizeLabel(receipt.expert);
  const lines = [`# ${receipt.state === 'answered' ? `Answer of ${expert}` : `${expert} does not know`}`, ''];
  const links: ReceiptLink[] = [];
  const addEntry = (title: string, path: string, after: string) => {
    const name = sanitizeLabel(title);
    links.push({ line: lines.length, start: 2, end: 2 + name.length, path });
    lines.push(`- ${name}${after}`);
  };
  lines.push(...quoted(receipt.question), '');
  for (const { asked, reply } of receipt.dialogue) {
    lines.push(`${expert} asked back:`, '', ...quoted(asked), '', 'The reply:', '', ...quoted(reply), '');
  }
  // Quoted, so that no line of it can be taken for one of this page.
  lines.push('The answer:', '', ...quoted(receipt.answer), '');
  if (!receipt.isSupported && receipt.state === 'answered') lines.push('None of its sources could be checked.', '');
  if (receipt.citations.length > 0) lines.push('## Sources', '');
  for (const { title, path, passage } of receipt.citations)
    addEntry(title, path, `: “${sanitizeLabel(passage, 1000)}”`);
  if (receipt.citations.length > 0) lines.push('');
  lines.push('## Entries that its session was given', '');
  const changes = new Map(change?.entries.map((one) => [one.path, one.change]));
  for (const { title, path } of receipt.entries) {
    const now = changes.get(path);
    addEntry(title, path, ` (${sanitizeLabel(path)})${now === undefined || now === 'same' ? '' : `: ${now} since`}`);
  }
  if (receipt.entries.length === 0) lines.push('None.');
  lines.push('', '## How it came about', '', ...factsOf(receipt, change).map((fact) => `- ${fact}`), '');
  return { text: lines.join('\n'), links };
}

function factsOf(receipt: AnswerReceipt, change: ReceiptChange): string[] {
  const { from, at, confidence, model, reported, promptBytes, entries, usd, reusedBy = [] } = receipt;
  const cost = usd === undefined ? '' : `, for ${formatDollars(usd)}`;
  return [
    `Asked by ${sanitizeLabel(from === 'person' ? 'a person' : from)}, ${sanitizeLabel(localTime(at), 40)}`,
    ...(confidence === undefined ? [] : [`The expert's confidence: ${confidence}`]),
    `Model: ${sanitizeLabel(reported === undefined ? model : `${model} (${reported})`)}${cost}`,
    `Its session was given ${formatBytes(promptBytes)} with ${plural(entries.length, 'entry', 'entries')}`,
    ...(reusedBy.length === 0 ? [] : [`Given ${plural(reusedBy.length, 'more time')} without a session`]),
    ...(change === undefined ? [] : [changeSentence(change)]),
  ];
}

const parts = {
  question: 'the question',
  dialogue: 'the dialogue',
  persona: 'the persona',
  template: 'the prompts of Ravel',
  model: 'the model',
  expert: 'the expert',
} as const;

function changeSentence({ isSame, changed, entries }: ReceiptComparison): string {
  if (isSame)
    return 'Nothing that it rests on has changed: the same question gets this answer again, without a session';
  const edited = entries.filter((entry) => entry.change !== 'same').length;
  const what = [
    ...changed.map((part) => parts[part]),
    ...(edited === 0 ? [] : [`${plural(edited, 'entry', 'entries')} that it was given`]),
  ];
  return `Changed since: ${what.join(', ')}. The same question is answered by a new session`;
}

function quoted(text: string): string[] {
  return plainText(text)
    .split('\n')
    .map((line) => `> ${line}`);
}
