import { t } from '@vscode/l10n';
import { counted } from '../../base/text.ts';
import { entryKinds, knowledgeAxes, uncategorizedFolder } from '../../model/entry.ts';
import type { ShippedExpertRow } from '../../model/requests/experts.ts';
import type { EntryRow } from '../../model/requests/knowledge.ts';
import type { Choice } from '../choice.ts';
import { plainChoice } from '../sanitizeLabel.ts';

/** Where a new entry goes: a folder of the vault's `knowledge/`, or a project. */
export type NewPlace = { readonly folder: string } | { readonly project: string };

const axisWords: Readonly<Record<(typeof knowledgeAxes)[number] | typeof uncategorizedFolder, string>> = {
  languages: t('A language of programs, such as rust'),
  domains: t('What programs are about, such as payments'),
  tools: t('A program or service, such as git'),
  techniques: t('A way to do things, in any language'),
  projects: t('What is known about projects, for all of them'),
  uncategorized: t('Its folder is decided later'),
};

/** Places of a new entry to choose from: the axes, folders that have entries, projects; `other` is a new folder. */
export function placeChoices(
  entries: readonly EntryRow[],
  projects: readonly string[],
): readonly Choice<NewPlace | 'other'>[] {
  const used = foldersOf(entries);
  const axes = ([uncategorizedFolder, ...knowledgeAxes] as const).map((axis) => ({
    ...{ label: axis, description: countWords(used.get(axis) ?? 0), detail: axisWords[axis] },
    value: { folder: axis },
  }));
  const folders = [...used].filter(([folder]) => folder.includes('/'));
  return [
    ...axes,
    ...folders.map(([folder, count]) => ({
      ...{ label: plainChoice(folder), description: countWords(count), value: { folder } },
    })),
    ...projects.map((project) => ({
      ...{ label: plainChoice(project), description: 'project', detail: t('Only this project knows it') },
      value: { project },
    })),
    { label: t('Another Folder…'), value: 'other' },
  ];
}

/** Folders of the vault that an expert can answer from; the empty text is another one. */
export function folderChoices(entries: readonly EntryRow[]): readonly Choice<string>[] {
  return [
    ...[...foldersOf(entries)].map(([folder, count]) => ({
      ...{ label: plainChoice(folder), description: countWords(count), value: folder },
    })),
    { label: t('Another Folder…'), value: '' },
  ];
}

const kindWords: Readonly<Record<(typeof entryKinds)[number], string>> = {
  directive: t('What has to be done, always'),
  preference: t('How a person or a team wants it'),
  decision: t('What was decided, and why'),
  reference: t('How something is'),
  heuristic: t('What usually works'),
  session: t('What one session found'),
  config: t('How something is set up'),
  bug: t('A fault, and what helps'),
};

/** The kinds of entries, the usual one first. */
export function kindChoices(): readonly Choice<(typeof entryKinds)[number]>[] {
  const usual = ['reference', 'heuristic', 'decision'] as const;
  const others = entryKinds.filter((kind) => !usual.some((one) => one === kind));
  return [...usual, ...others].map((kind) => ({ label: kind, detail: kindWords[kind], value: kind }));
}

/** Experts that come with Ravel and are not there yet, all of them at once first; `own` is a new one. */
export function shippedChoices(shipped: readonly ShippedExpertRow[]): readonly Choice<readonly string[] | 'own'>[] {
  const missing = shipped.filter(({ isAdded }) => !isAdded);
  const names = missing.map(({ expert }) => expert);
  const entries = missing.reduce((sum, one) => sum + one.entries, 0);
  const all = {
    label: t`All ${missing.length} That Come With Ravel`,
    ...{ description: countWords(entries), detail: plainChoice(names.join(', ')), value: names },
  };
  return [
    ...(missing.length > 1 ? [all] : []),
    ...missing.map(({ expert, description, entries: count }) => ({
      label: plainChoice(expert),
      ...{ description: countWords(count), detail: plainChoice(description), value: [expert] },
    })),
    {
      label: t('An Expert of Your Own…'),
      detail: t('You say what it knows and which entries it answers from'),
      value: 'own',
    },
  ];
}

/** Folders of the vault that have entries, each with those below it. */
function foldersOf(entries: readonly EntryRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { entry, project } of entries) {
    if (project !== '') continue;
    const parts = entry.split('/').slice(1, -1);
    for (const depth of parts.keys()) {
      const folder = parts.slice(0, depth + 1).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function countWords(count: number): string {
  return counted(count, t('{0} entry'), t('{0} entries'));
}
