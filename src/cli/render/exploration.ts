import { oneLine, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { Style } from './style.ts';
import { clip } from './text.ts';

type Exploration = RequestResults['explore_knowledge'];

/** Where the knowledge could grow, in four sections; those without a row are left out. */
export function formatExploration(
  found: Exploration,
  { style, columns }: { readonly style: Style; readonly columns: number },
): string[] {
  const { gaps, questions, connections, unproven, totals, compared } = found;
  const line = (indent: string, text: string) => clip(`${indent}${oneLine(text)}`, columns);
  const section = (heading: string, total: number, rows: readonly (readonly string[])[]) => {
    if (rows.length === 0) return [];
    const more = total > rows.length ? [style.faint(`  … and ${total - rows.length} more.`)] : [];
    return [
      style.strong(heading),
      ...rows.flatMap(([first = '', ...others]) => [
        line('  ', first),
        ...others.map((other) => style.faint(line('      ', other))),
      ]),
      ...more,
      '',
    ];
  };
  const lines = [
    ...section(
      'Questions that experts could not answer',
      totals.questions,
      questions.map(({ question, times, experts, missing }) => [
        `${times}× ${question}`,
        experts.join(', '),
        ...(missing === undefined ? [] : [`missing: ${missing}`]),
      ]),
    ),
    ...section(
      'Worth proving: others rely on it',
      totals.unproven,
      unproven.map(({ entry, title, confidence, citations }) => [
        `${title} (${confidence}, ${plural(citations, 'citation')})`,
        entry,
      ]),
    ),
    ...section(
      'Tags that may belong together',
      totals.connections,
      connections.map(({ tags: [one, other], score, isCited, pairs, entries }) => [
        `#${one} and #${other} (${score.toFixed(2)}, ${isCited ? 'cited, ' : ''}${plural(pairs, 'pair')})`,
        ...entries.map(({ entry, title }) => `${title} (${entry})`),
      ]),
    ),
    ...section(
      'Gaps',
      totals.gaps,
      gaps.map(({ text, entries }) => [text, ...entries.slice(0, 3)]),
    ),
  ];
  const part =
    compared.entries < compared.of
      ? [style.faint(`Of ${compared.of} entries with a tag, ${compared.entries} were compared.`)]
      : [];
  if (lines.length === 0) return ['Nothing was found that is missing or worth connecting.', ...part];
  return [...lines.slice(0, -1), ...part];
}
