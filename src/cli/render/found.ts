import { oneLine, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { SearchHit, SearchScorePart } from '../../model/requests/search.ts';
import { noMatchText, scorePartTexts, shownParts } from '../../model/searchText.ts';
import type { Style } from './style.ts';
import { chop } from './text.ts';

interface Form {
  readonly style: Style;
  readonly columns: number;
  readonly isExplained: boolean;
}

/** What a search found: for each entry its title, where it is, and the line that fits best. */
export function formatFound({ hits, skipped, entries }: RequestResults['search'], form: Form): string[] {
  if (hits.length === 0) return [noMatchText(entries)];
  const left =
    skipped === 0 ? [] : [form.style.faint(`${plural(skipped, 'entry', 'entries')} did not fit within --bytes.`)];
  return [...hits.flatMap((hit) => formatHit(hit, form)), ...left];
}

function formatHit(hit: SearchHit, { style, columns, isExplained }: Form): string[] {
  const { in: place, plan, id, kind, status, score, title, line } = hit;
  const labels = [kind, status].filter((label) => label !== undefined && label !== place).join(', ');
  const where = [
    `score ${score.toFixed(2)},`,
    place,
    plan === id ? '' : plan,
    id,
    ...(labels === '' ? [] : [`(${labels})`]),
  ]
    .filter(Boolean)
    .join(' ');
  const below = (text: string, indent: string) =>
    piecesOf(text, columns - indent.length).map((one) => `${indent}${one}`);
  return [
    ...piecesOf(title === '' ? id : title, columns).map(style.strong),
    ...below(where, '  ').map(style.faint),
    ...(line === '' || line === title ? [] : below(line, '  ')),
    ...(isExplained ? shownParts(hit.parts).flatMap((part) => below(partText(part), '    ')) : []),
  ];
}

function piecesOf(text: string, columns: number): string[] {
  return chop(oneLine(text), Math.max(20, columns));
}

function partText({ kind, name, score }: SearchScorePart): string {
  return `${score >= 0 ? '+' : '-'}${Math.abs(score).toFixed(2)} ${scorePartTexts[kind]} ${name}`;
}
