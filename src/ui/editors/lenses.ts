import { t } from '@vscode/l10n';
import type { Range } from '../../base/errors.ts';
import type { DocumentRecord, InspectedDocument } from '../../model/document.ts';
import type { QualifiedId } from '../../model/id.ts';

/** What stands above a line, and what a click does. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  readonly tooltip: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}

export interface LensFacts {
  /** How many questions of the document's plan wait for a person. */
  readonly questions: number;
  /** How many answers of experts rest on the entry that the document is. */
  readonly answers: number;
  /** How many links of other entries lead to the entry that the document is. */
  readonly backlinks: number;
}

/** At most two for each item, three for an entry, and none that comes and goes while something runs. */
export function lensesOf({ kind, plan, records }: InspectedDocument, facts: LensFacts): Lens[] {
  if (kind === 'entry') return entryLenses(facts);
  if (kind === 'policy') return policyLenses(records);
  if (plan === undefined) return [];
  if (kind === 'phase' || kind === 'planState') return planLenses(plan, facts);
  if (kind !== 'backlog') return [];
  return records.flatMap((record) => {
    if (record.list === 'tasks') return taskLenses(plan, record);
    if (record.list !== 'received') return [];
    return record.state === 'new' ? messageLenses(plan, record) : whyLens(plan, record);
  });
}

const firstLine: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function entryLenses({ answers, backlinks }: LensFacts): Lens[] {
  const at = { range: firstLine, arguments: [] };
  const title = answers === 1 ? t('1 answer rests on this entry') : t`${answers} answers rest on this entry`;
  const tooltip = t('Show the answers of experts that cite it. They are asked again once it changes');
  return [
    ...(answers === 0 ? [] : [{ ...at, title, tooltip, command: 'ravel.showReceipts' }]),
    ...(backlinks === 0
      ? []
      : [
          {
            ...{ ...at, title: backlinks === 1 ? t('1 link leads here') : t`${backlinks} links lead here` },
            ...{ tooltip: t('Show the entries that link to it, and those that it links to') },
            command: 'ravel.showEntryLinks',
          },
        ]),
    {
      ...at,
      title: t('Change entry…'),
      tooltip: t('Supersede, rename, merge, archive, …'),
      command: 'ravel.changeEntry',
    },
  ];
}

/** What the policy says of a command, whichever rule it meets. */
function policyLenses(records: readonly DocumentRecord[]): Lens[] {
  const about = {
    ...{ title: t('Try a command'), tooltip: t('Say what the gates would answer to a command, without running it') },
    ...{ command: 'ravel.tryCommand', arguments: [] },
  };
  return [
    { ...about, range: firstLine },
    ...records.filter(({ kind }) => kind === 'rule').map(({ range }) => ({ ...about, range })),
  ];
}

function planLenses(plan: QualifiedId, { questions }: Pick<LensFacts, 'questions'>): Lens[] {
  const at = { range: firstLine, arguments: [plan] };
  const open = {
    ...at,
    title: t('Open plan'),
    tooltip: t`Show ${plan} in the phase runner`,
    command: 'ravel.openPlan',
  };
  if (questions > 0) {
    const title = questions === 1 ? 'Answer 1 question' : t`Answer ${questions} questions`;
    const tooltip = t('This plan needs your answer. Show the Inbox');
    return [{ range: firstLine, arguments: [], title, tooltip, command: 'ravel.inbox.focus' }, open];
  }
  const tooltip = t`Run the next phase of ${plan}`;
  return [{ ...at, title: t('Run phase'), tooltip, command: 'ravel.runPhase' }, open];
}

function taskLenses(plan: QualifiedId, { id, state, range }: DocumentRecord): Lens[] {
  // A status that is just being typed is none yet, and lines that jump meanwhile would disturb.
  if (id === undefined) return [];
  if (state === 'done' || state === 'blocked') return whyLens(plan, { id, range });
  const at = { range: { start: range.start, end: range.start } };
  return [
    {
      ...at,
      title: t('Start task'),
      tooltip: t('Run the work phase with this task'),
      command: 'ravel.startTask',
      arguments: [plan, id],
    },
    {
      ...at,
      title: t('Dispatch…'),
      tooltip: t('Hand this task to another plan or project'),
      command: 'ravel.dispatchTask',
      arguments: [plan, id],
    },
  ];
}

function whyLens(plan: QualifiedId, { id, range }: Pick<DocumentRecord, 'id' | 'range'>): Lens[] {
  if (id === undefined) return [];
  const tooltip = t('Show its causes and results');
  const at = { range: { start: range.start, end: range.start }, arguments: [plan, id] };
  return [{ ...at, title: t('Why is this here?'), tooltip, command: 'ravel.why' }];
}

function messageLenses(plan: QualifiedId, { id, range }: DocumentRecord): Lens[] {
  if (id === undefined) return [];
  const at = { range: { start: range.start, end: range.start }, arguments: [plan, id] };
  return [
    { ...at, title: t('Promote'), tooltip: t('Create a task from this message'), command: 'ravel.promoteReceived' },
    { ...at, title: t('Decline'), tooltip: t('Decline this message with a reason'), command: 'ravel.declineReceived' },
  ];
}
