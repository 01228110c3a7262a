import { t } from '@vscode/l10n';
import { counted, formatCount } from '../../base/text.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import type { EntryRow, KnowledgeGap } from '../../model/requests/knowledge.ts';
import { rowParts } from '../inbox/approvalText.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { groupedRows, type RowNode } from '../trees/groupedRows.ts';
import { joinParts } from '../trees/treeRow.ts';

/** What the view of the knowledge shows. */
export interface KnowledgePicture {
  readonly entries: readonly EntryRow[];
  /** How many there are, also beyond those that were read. */
  readonly total: number;
  readonly gaps: readonly KnowledgeGap[];
  readonly approvals: readonly ApprovalRow[];
}

/** Rows below one row; a search finds the others. */
const rowsMax = 500;

const reviewKinds: readonly string[] = [
  'learned-statement',
  'contradicting-entries',
  'entry-graduation',
  'entry-deletion',
];

/** The key of the row of an entry, for commands that it is the subject of. */
const entryPrefix = 'entry:';

/** The entry that a row stands for, as its path in the vault; undefined for another row. */
export function entryOfRow(key: unknown): string | undefined {
  return typeof key === 'string' && key.startsWith(entryPrefix) ? key.slice(entryPrefix.length) : undefined;
}

/** What waits for a person first, then the axes of the vault, the projects, and what the knowledge lacks. */
export function knowledgeRows(picture: KnowledgePicture | undefined): ReturnType<typeof groupedRows> {
  if (picture === undefined) return groupedRows([]);
  const { entries, total, gaps, approvals } = picture;
  const hasMore = entries.length < total;
  const waiting = approvals.filter(({ kind }) => reviewKinds.includes(kind));
  const axes = groupBy(
    entries.filter(({ project }) => project === ''),
    ({ axis }) => axis,
  );
  const projects = groupBy(
    entries.filter(({ project }) => project !== ''),
    ({ project }) => project,
  );
  return groupedRows([
    ...(waiting.length === 0
      ? []
      : [
          groupNode(
            { key: 'review', name: t('Waiting for You'), icon: 'inbox', count: waiting.length },
            waiting.map(reviewNode),
            true,
          ),
        ]),
    ...[...axes].map(([axis, own]) =>
      groupNode(
        { key: `axis:${axis}`, name: axis === '' ? 'knowledge' : axis, icon: 'library', count: own.length, hasMore },
        entryNodes(own),
      ),
    ),
    ...[...projects].map(([project, own]) =>
      groupNode(
        { key: `project:${project}`, name: project, icon: 'repo', count: own.length, hasMore },
        entryNodes(own),
      ),
    ),
    ...(entries.length < total ? [moreNode('all', total - entries.length)] : []),
    ...(gaps.length === 0
      ? []
      : [
          groupNode(
            { key: 'gaps', name: t('Gaps'), icon: 'question', count: gaps.length },
            gaps.slice(0, rowsMax).map(gapNode),
          ),
        ]),
  ]);
}

function groupBy(entries: readonly EntryRow[], keyOf: (entry: EntryRow) => string): [string, EntryRow[]][] {
  const groups = new Map<string, EntryRow[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Group {
  readonly key: string;
  readonly name: string;
  readonly icon: string;
  /** How many there are, also beyond the rows. */
  readonly count: number;
  /** Whether there are entries that were not read, of which some may belong here. */
  readonly hasMore?: boolean;
}

function groupNode(
  { key, name, icon, count: counted, hasMore = false }: Group,
  below: readonly RowNode[],
  isOpen = false,
): RowNode {
  const label = sanitizeLabel(name, 120);
  const count = `${formatCount(counted)}${hasMore ? '+' : ''}`;
  return {
    ...{ below, isOpen, tooltip: plainMarkdown(name) },
    row: {
      ...{ id: `group:${key}`, label, description: count, icon: { name: icon }, contextValue: 'group' },
      ariaLabel: `${label}, ${count}`,
    },
  };
}

function entryNodes(entries: readonly EntryRow[]): RowNode[] {
  const sorted = [...entries].sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
  const shown = sorted.slice(0, rowsMax).map(entryNode);
  return sorted.length <= rowsMax ? shown : [...shown, moreNode(sorted[0]?.entry ?? '', sorted.length - rowsMax)];
}

function entryNode({ entry, title, kind, status, confidence, tags, file }: EntryRow): RowNode {
  const label = sanitizeLabel(title, 120);
  const state = status === 'consolidated' ? '' : status;
  const words = joinParts([state, t`${confidence} confidence`, sanitizeLabel(kind, 40)], ', ');
  return {
    row: {
      ...{ id: `${entryPrefix}${entry}`, label, description: words, ariaLabel: t`Entry ${label}, ${words}` },
      icon: { name: status === 'staged' ? 'beaker' : 'book' },
      contextValue: joinParts(['entry', state], '.'),
      command: { command: 'ravel.openEntry', title: t('Open Entry'), arguments: [file, entry] },
    },
    tooltip: [
      `**${plainMarkdown(title)}**`,
      plainMarkdown(words),
      ...(tags.length === 0 ? [] : [t`Tags: ${tags.map((tag) => plainMarkdown(tag)).join(', ')}`]),
      plainMarkdown(entry),
    ].join('\n\n'),
  };
}

function reviewNode(question: ApprovalRow): RowNode {
  const { approval, kind, subject } = question;
  const { about, why } = rowParts(question);
  return {
    row: {
      ...{ id: `review:${approval}`, label: about, icon: { name: 'question' } },
      ...{ description: why ?? '', ariaLabel: joinParts([t('Question'), about, why], ', ') },
      contextValue: joinParts(['review', kind], '.'),
      command: { command: 'ravel.openApproval', title: t('Open Question'), arguments: [approval] },
    },
    tooltip: plainMarkdown(subject),
  };
}

function gapNode({ kind, text }: KnowledgeGap, at: number): RowNode {
  const label = sanitizeLabel(text);
  return {
    row: {
      ...{ id: `gap:${at}:${kind}`, label, icon: { name: 'circle-outline' }, ariaLabel: t`Gap, ${label}` },
      contextValue: 'gap',
    },
    tooltip: plainMarkdown(text),
  };
}

function moreNode(key: string, count: number): RowNode {
  const label = t`${counted(count, t('{0} more entry'), t('{0} more entries'))}: search for them`;
  return {
    row: {
      ...{ id: `more:${key}`, label, icon: { name: 'search' }, ariaLabel: label, contextValue: 'more' },
      command: { command: 'ravel.searchVault', title: t('Search Vault…'), arguments: [] },
    },
    tooltip: label,
  };
}
