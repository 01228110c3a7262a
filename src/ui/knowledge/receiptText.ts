import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted, formatBytes, formatDollars } from '../../base/text.ts';
import type { AnswerReceipt } from '../../model/receipt.ts';
import type { EntryDifference, EntryPlaceNow, ReceiptComparison } from '../../model/requests/receipts.ts';
import { plainText, sanitizeLabel } from '../sanitizeLabel.ts';
import { type LinkedPart, type Page, PageWriter } from './page.ts';

/** What is known of an answer now. */
export interface ReceiptNow {
  /** Absent if it is not known what has changed since. */
  readonly change?: ReceiptComparison;
  readonly places: readonly EntryPlaceNow[];
}

/** A receipt as a page to read: the question, the answer, what it quotes, and what its session was given. */
export function receiptDocument(receipt: AnswerReceipt, { change, places }: ReceiptNow): Page {
  const expert = sanitizeLabel(receipt.expert);
  const page = new PageWriter();
  const placeOf = new Map(places.map((place) => [place.path, place]));
  page.line(`# ${receipt.state === 'answered' ? t`Answer of ${expert}` : t`${expert} does not know`}`);
  page.line();
  page.lines([...quoted(receipt.question), '']);
  for (const { asked, reply } of receipt.dialogue) {
    page.lines([t`${expert} asked back:`, '', ...quoted(asked), '', t('The reply:'), '', ...quoted(reply), '']);
  }
  // Quoted, so that no line of it can be taken for one of this page.
  page.lines([t('The answer:'), '', ...quoted(receipt.answer)]);
  if (!receipt.isSupported && receipt.state === 'answered')
    page.lines(['', t('None of its sources could be checked.')]);
  if (receipt.citations.length > 0) page.heading(t('Sources'));
  for (const { title, path, passage } of receipt.citations) {
    const lost = lostWords(placeOf.get(path));
    const note = lost === undefined ? '' : ` (${lost})`;
    page.line('- ', entryPart(title, path, placeOf.get(path)), `${note}: “${sanitizeLabel(passage, 1000)}”`);
  }
  page.heading(t('Entries that its session was given'));
  const changes = new Map(change?.entries.map((one) => [one.path, one.change]));
  for (const { title, path } of receipt.entries) {
    const place = placeOf.get(path);
    const now = lostWords(place) ?? changeWords(changes.get(path));
    page.line('- ', entryPart(title, path, place), ` (${sanitizeLabel(path)})${now === undefined ? '' : `: ${now}`}`);
  }
  if (receipt.entries.length === 0) page.line('None.');
  page.heading(t('How it came about'));
  page.lines(factsOf(receipt, change).map((fact) => `- ${fact}`));
  return page.page();
}

/** The title of an entry, which leads to where the entry is now; of one that is gone just its title. */
function entryPart(title: string, path: string, place: EntryPlaceNow | undefined): string | LinkedPart {
  const text = sanitizeLabel(title);
  if (place?.state === 'gone') return text;
  const tooltip = place?.state === 'archived' ? t('Open the entry in the archive') : t('Open the entry');
  return { text, tooltip, to: { file: place?.now ?? path } };
}

function lostWords(place: EntryPlaceNow | undefined): string | undefined {
  if (place?.state === 'gone') return t('deleted since, so nothing can be opened');
  return place?.state === 'archived' ? t('in the archive since') : undefined;
}

function changeWords(change: EntryDifference['change'] | undefined): string | undefined {
  if (change === undefined || change === 'same') return undefined;
  return change === 'removed' ? t('would not be given any more') : t`${change} since`;
}

function factsOf(receipt: AnswerReceipt, change: ReceiptComparison | undefined): string[] {
  const { from, at, confidence, model, reported, promptBytes, entries, usd, reusedBy = [] } = receipt;
  const cost = usd === undefined ? '' : t`, for ${formatDollars(usd)}`;
  return [
    t`Asked by ${sanitizeLabel(from === 'person' ? 'a person' : from)}, ${sanitizeLabel(localTime(at), 40)}`,
    ...(confidence === undefined ? [] : [t`The expert's confidence: ${confidence}`]),
    t`Model: ${sanitizeLabel(reported === undefined ? model : `${model} (${reported})`)}${cost}`,
    t`Its session was given ${formatBytes(promptBytes)} with ${counted(entries.length, t('{0} entry'), t('{0} entries'))}`,
    ...(reusedBy.length === 0
      ? []
      : [t`Given ${counted(reusedBy.length, t('{0} more time'), t('{0} more times'))} without a session`]),
    ...(change === undefined ? [] : [changeSentence(change)]),
  ];
}

const partNames = {
  question: t('the question'),
  dialogue: t('the dialogue'),
  persona: t('the persona'),
  template: t('the prompts of Ravel'),
  model: t('the model'),
  expert: t('the expert'),
} as const;

function changeSentence({ isSame, changed, entries }: ReceiptComparison): string {
  if (isSame)
    return t('Nothing that it rests on has changed: the same question gets this answer again, without a session');
  const edited = entries.filter((entry) => entry.change !== 'same').length;
  const what = [
    ...changed.map((part) => partNames[part]),
    ...(edited === 0 ? [] : [t`${counted(edited, t('{0} entry'), t('{0} entries'))} that it was given`]),
  ];
  return t`Changed since: ${what.join(', ')}. The same question is answered by a new session`;
}

/** Whether an answer would be given again, in a few words: with what has changed by name if not. */
export function freshnessWords({ isSame, changed, entries }: ReceiptComparison): string {
  if (isSame) return t('up to date');
  const isOnlyOrder = entries.every(({ change }) => change === 'same' || change === 'reordered');
  const reasons = [
    ...changed.map((part) => t`${partNames[part]} changed`),
    ...(isOnlyOrder
      ? entries.some(({ change }) => change === 'reordered')
        ? [t('its entries rank in another order')]
        : []
      : entries.flatMap(({ title, change }) => {
          const words = differenceWords[change];
          return words === undefined ? [] : [`“${sanitizeLabel(title, 80)}” ${words}`];
        })),
  ];
  const shown = reasons.slice(0, 3);
  const more = reasons.length > shown.length ? t`, and ${reasons.length - shown.length} more` : '';
  return t`out of date because ${shown.join(', ')}${more}`;
}

const differenceWords: Readonly<Record<EntryDifference['change'], string | undefined>> = {
  same: undefined,
  reordered: undefined,
  edited: t('was edited'),
  moved: t('was moved'),
  added: t('fits now'),
  removed: t('is gone or fits no more'),
};

/** A text of others as a quotation: no line of it can be taken for one of the page. */
export function quoted(text: string, lengthMax?: number): string[] {
  return plainText(text, lengthMax)
    .split('\n')
    .map((line) => `> ${line}`);
}
