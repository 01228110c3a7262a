import { localTime } from '../../base/localTime.ts';
import { formatBytes, formatDollars, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { AnswerReceipt } from '../../model/receipt.ts';
import type { CommandContext } from '../context.ts';
import { formatTable } from './table.ts';
import { wrap } from './text.ts';

type Look = Pick<CommandContext, 'style' | 'columns'>;

export function formatReceipts({ receipts, total }: RequestResults['receipts'], { style, columns }: Look): string[] {
  const rows = receipts.map(({ id, expert, state, isSupported, cites, question }) => [
    ...[id, expert, isSupported ? state : 'unsupported', String(cites.length), question],
  ]);
  const more = total > receipts.length ? [`and ${plural(total - receipts.length, 'receipt')} more`] : [];
  return [...formatTable(['RECEIPT', 'EXPERT', 'ANSWER', 'CITES', 'QUESTION'], rows, style, columns), ...more];
}

export function formatReceipt(receipt: AnswerReceipt, { style, columns }: Look): string[] {
  const { id, at, expert, from, model, reported, promptBytes, usd, confidence } = receipt;
  const text = (words: string) =>
    words.split('\n').flatMap((line) => wrap(line, columns - 4).map((part) => `    ${part}`));
  const cost = usd === undefined ? '' : `, ${formatDollars(usd)}`;
  const known = [
    `  ${style.faint('asked by')}   ${from}, ${localTime(at)}`,
    `  ${style.faint('model')}      ${reported === undefined ? model : `${model} (${reported})`}${cost}`,
    `  ${style.faint('given')}      ${formatBytes(promptBytes)} with ${plural(receipt.entries.length, 'entry', 'entries')}`,
    `  ${style.faint('persona')}    ${receipt.persona.slice(0, 16)}   ${style.faint('prompts')}  ${receipt.template.slice(0, 16)}`,
  ];
  const dialogue = receipt.dialogue.flatMap(({ asked, reply }) => [
    `  ${style.faint('asked back')}`,
    ...text(asked),
    `  ${style.faint('reply')}`,
    ...text(reply),
  ]);
  const entries = receipt.entries.map(({ title, path, hash }) => `    ${hash.slice(0, 16)}  ${title} (${path})`);
  const cited = receipt.citations.flatMap(({ title, passage }) => [
    `    ${style.faint(`${title}:`)}`,
    ...text(`“${passage}”`),
  ]);
  const sure = confidence === undefined ? '' : `, confidence ${confidence}`;
  return [
    `${style.strong(id)}  ${expert}`,
    ...known,
    `  ${style.faint('question')}`,
    ...text(receipt.question),
    ...dialogue,
    `  ${style.faint('entries')}`,
    ...entries,
    `  ${style.faint(receipt.state === 'unknown' ? 'not known' : `answer${sure}`)}`,
    ...text(receipt.answer),
    ...(receipt.isSupported ? [] : [style.bad('  None of its sources could be checked.')]),
    ...cited,
  ];
}

const whatChanged = {
  question: 'the question',
  dialogue: 'the dialogue',
  persona: 'the persona',
  template: 'the prompts',
  model: 'the model',
  expert: 'the expert',
} as const;

export function formatComparison(
  { isSame, changed, entries }: RequestResults['compare_receipt'],
  { style }: Look,
  isWithOther: boolean,
): string[] {
  const lines = entries.map(({ change, title, path }) => {
    const word = change.padEnd(10);
    return `  ${change === 'same' ? style.faint(word) : style.accent(word)} ${title} (${path})`;
  });
  const parts = changed.map((part) => `  ${style.accent('changed'.padEnd(10))} ${whatChanged[part]}`);
  const differs = isWithOther
    ? 'The two answers were made of different things.'
    : 'Something has changed: the next such question runs a session.';
  const end = isSame ? 'Nothing has changed: the answer would be given again.' : differs;
  return [`${isSame ? style.good('✓') : style.strong('≠')} ${end}`, ...parts, ...lines];
}
