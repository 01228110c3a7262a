import { t } from '@vscode/l10n';
import { counted } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { EntryPage, EntryRow, HorizonReport } from '../../model/requests/knowledge.ts';
import type { Choice } from '../choice.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { type LinkedPart, type Page, PageWriter } from './page.ts';

/** Parts of the knowledge to look at: all of it, an axis, or a tag, as `exploredPart` reads it. */
export function exploreChoices(entries: readonly EntryRow[]): readonly Choice<string>[] {
  const axes = [...new Set(entries.map(({ axis }) => axis))].filter((axis) => axis !== '').sort();
  const tags = [...new Set(entries.flatMap((entry) => entry.tags))].sort();
  return [
    { label: t('All of It'), value: 'all' },
    ...axes.map((axis) => ({ label: plainChoice(axis), description: 'axis', value: `axis:${axis}` })),
    ...tags.map((tag) => ({ label: plainChoice(`#${tag}`), description: 'tag', value: `tag:${tag}` })),
  ];
}

/** What a choice asks the vault for. */
export function exploredPart(part: string): { readonly axis?: string; readonly tag?: string } {
  const [, kind, name = ''] = /^(axis|tag):(.+)$/s.exec(part) ?? [];
  if (kind === undefined) return {};
  return kind === 'axis' ? { axis: name } : { tag: name };
}

/** Where the knowledge could grow, as a page whose stretches open entries, ask again and add what is missing. */
export function exploreDocument(found: RequestResults['explore_knowledge'], part: string): Page {
  const { gaps, questions, connections, unproven, totals, compared, diagnostics } = found;
  const page = new PageWriter();
  const { axis, tag } = exploredPart(part);
  const about = axis ?? (tag === undefined ? undefined : `#${tag}`);
  page.line(t`# Where the knowledge could grow${about === undefined ? '' : `: ${sanitizeLabel(about, 120)}`}`);
  page.line();
  const add = link(t('Add an entry'), t('Add what is missing'), 'ravel.addEntry');
  page.line(add, ' · ', link(t('Find ideas in a text'), t('Hand in a text of others'), 'ravel.findIdeas'));

  page.heading(heading(t('Questions that experts could not answer'), totals.questions, questions));
  for (const { question, times, experts, missing } of questions) {
    page.line(`- ${sanitizeLabel(question, 400)} (${counted(times, t('{0} time'), t('{0} times'))})`);
    if (missing !== undefined) page.line(t`  - Missing: ${sanitizeLabel(missing, 400)}`);
    const again = experts.flatMap((expert) => [
      ' · ',
      link(t`ask ${sanitizeLabel(expert, 120)}`, t('Ask this expert'), 'ravel.askQuestion', expert),
    ]);
    page.line('  - ', link(t('Add the entry'), t('Add an entry that answers it'), 'ravel.addEntry'), ...again);
  }
  page.heading(heading(t('Worth proving: others rely on it'), totals.unproven, unproven));
  for (const { entry, title, confidence, citations } of unproven) {
    page.line(
      '- ',
      entryLink(entry, title),
      ` (${confidence}, ${counted(citations, t('{0} citation'), t('{0} citations'))})`,
    );
  }
  page.heading(heading(t('Tags that may belong together'), totals.connections, connections));
  for (const { tags, score, isCited, pairs, entries } of connections) {
    const words = `${score.toFixed(2)}, ${isCited ? 'cited, ' : ''}${counted(pairs, t('{0} pair'), t('{0} pairs'))}`;
    page.line(`- ${tags.map((one) => `#${sanitizeLabel(one, 120)}`).join(t(' and '))} (${words})`);
    for (const { entry, title } of entries) page.line('  - ', entryLink(entry, title));
  }
  page.heading(heading(t('Gaps'), totals.gaps, gaps));
  for (const { text, entries } of gaps) {
    const named = entries.slice(0, 3).flatMap((entry) => [' · ', entryLink(entry, entry)]);
    page.line(`- ${sanitizeLabel(text, 400)}`, ...named);
  }
  page.line();
  if (Object.values(totals).every((total) => total === 0)) page.line(t('Nothing is missing or worth connecting.'));
  if (compared.entries < compared.of) {
    page.line(t`Of ${compared.of} entries with a tag, ${compared.entries} were compared.`);
  }
  page.lines(diagnostics.map(({ message }) => t`- Problem: ${sanitizeLabel(message, 400)}`));
  return page.page();
}

/** The links of an entry in both directions to choose from, by the entry that is at the other end. */
export function linkChoices({ links, backlinks }: EntryPage): readonly Choice<string>[] {
  return [
    ...links.flatMap(({ key, leadsTo }) =>
      leadsTo.map(({ entry, title }) => linkChoice(title, entry, t`this entry: ${key}`)),
    ),
    ...backlinks.map(({ key, entry, title }) => linkChoice(title, entry, t`that entry: ${key}`)),
  ];
}

function linkChoice(title: string, entry: string, description: string): Choice<string> {
  return { label: plainChoice(title, 120), description, detail: plainChoice(entry), value: entry };
}

/** What came of a text: what was kept opens; of the rest the reason is shown, and its value is empty. */
export function keptChoices({ kept, refused }: HorizonReport): readonly Choice<string>[] {
  const rows = [
    ...kept.map(({ entry, title, passage }) => ({
      ...{ label: plainChoice(title, 120), description: t('kept, prospective'), detail: plainChoice(passage) },
      value: entry,
    })),
    ...refused.map(({ title, reason }) => ({
      ...{ label: plainChoice(title || t('Nothing was proposed'), 120), description: title === '' ? '' : 'refused' },
      ...{ detail: plainChoice(reason), value: '' },
    })),
  ];
  return rows.length > 0 ? rows : [{ label: t('The sessions found no idea in the text'), value: '' }];
}

function heading(title: string, total: number, rows: readonly unknown[]): string {
  return rows.length < total ? t`${title}: ${rows.length} of ${total}` : `${title}: ${total}`;
}

function entryLink(entry: string, title: string): LinkedPart {
  return link(sanitizeLabel(title), t('Open the entry'), 'ravel.openEntry', null, entry);
}

function link(text: string, tooltip: string, command: string, ...args: readonly unknown[]): LinkedPart {
  return { text, tooltip, to: { command, arguments: args } };
}
