import type { KnowledgeGap } from '../../model/requests/knowledge.ts';
import type { Style } from './style.ts';

/** Tags that are named; a new vault has very many that are used once. */
const tagsShownMax = 10;

/** What can be done about each kind of gap, the most urgent first. */
const remedies: readonly (readonly [KnowledgeGap['kind'], string])[] = [
  ['question', 'Add what is missing with `ravel knowledge add TITLE`, then ask again.'],
  ['language', 'Add more with `ravel knowledge add TITLE --folder languages/NAME`.'],
  ['unproven', 'If it holds, `ravel knowledge validate ENTRY`; if not, `ravel knowledge archive ENTRY --reason TEXT`.'],
  ['tag', 'A tag helps where entries share it; `ravel knowledge list --tag TAG` shows the one that has it.'],
];

/** Gaps by kind, each kind with what to do about it. */
export function formatGaps(gaps: readonly KnowledgeGap[], style: Style): string[] {
  if (gaps.length === 0) return ['No gaps were found.'];
  const parts = remedies.flatMap(([kind, remedy]) => {
    const own = gaps.filter((gap) => gap.kind === kind);
    if (own.length === 0) return [];
    const lines = kind === 'tag' ? [formatTags(own)] : own.map((gap) => formatGap(gap, style));
    return [[...lines, `  ${style.faint(remedy)}`]];
  });
  return parts.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function formatGap({ text, entries }: KnowledgeGap, style: Style): string {
  return entries.length === 1 ? `${text}  ${style.faint(entries[0] ?? '')}` : text;
}

function formatTags(gaps: readonly KnowledgeGap[]): string {
  const names = gaps.slice(0, tagsShownMax).map(({ text }) => tagOf(text));
  const count = gaps.length === 1 ? '1 tag is' : `${gaps.length} tags are`;
  return `${count} used once: ${[...names, ...(gaps.length > tagsShownMax ? ['…'] : [])].join(', ')}`;
}

/** The name between the quotes of its sentence. */
function tagOf(text: string): string {
  const [start, end] = [text.indexOf('"'), text.lastIndexOf('"')];
  return end > start ? text.slice(start + 1, end) : text;
}
