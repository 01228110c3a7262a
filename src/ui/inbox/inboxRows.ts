import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import { counted, formatDollars } from '../../base/text.ts';
import { type ApprovalKind, isVaultApproval } from '../../model/approval.ts';
import { fileFaults } from '../../model/fileFaults.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { DeadLetterRow } from '../../model/requests/actors.ts';
import type { ApprovalRow } from '../../model/requests/approvals.ts';
import type { OpenQuestionRow } from '../../model/requests/messages.ts';
import { inWindowWords } from '../../model/windowCommands.ts';
import { questionRow } from '../messages/questionRows.ts';
import type { PlanOutline } from '../planOutline.ts';
import { plainMarkdown, sanitizeLabel } from '../sanitizeLabel.ts';
import { planName } from '../trees/planRows.ts';
import { joinParts, type RowIcon, type TreeRow } from '../trees/treeRow.ts';
import type { VaultExperts } from '../vaultModel.ts';
import { rowParts } from './approvalText.ts';

/** What needs a person's attention, and what it is about. */
export type InboxEntry = { readonly row: TreeRow; readonly tooltip: string } & (
  | { readonly kind: 'approval'; readonly approval: ApprovalRow }
  | { readonly kind: 'interrupted' | 'paused' | 'fault'; readonly plan: QualifiedId }
  | { readonly kind: 'mute'; readonly actor: QualifiedId }
  | { readonly kind: 'deadLetter'; readonly letter: Ulid; readonly actor: QualifiedId }
  | { readonly kind: 'question'; readonly query: Ulid }
  | { readonly kind: 'budget' }
);

export interface InboxSource {
  readonly outline: PlanOutline;
  readonly approvals: readonly ApprovalRow[];
  readonly deadLetters: readonly DeadLetterRow[];
  readonly questions: readonly OpenQuestionRow[];
  readonly experts: Pick<VaultExperts, 'actors'>;
  readonly spending: RequestResults['spending'] | undefined;
}

/** What each kind of question is called in a row, and its sign. */
const kinds: Readonly<Record<ApprovalKind, { readonly words: string; readonly icon: string }>> = {
  'merge-conflict': { words: 'conflict', icon: 'git-merge' },
  'unattributed-change': { words: t('unexplained change'), icon: 'diff' },
  'tool-request': { words: t('wants to use a tool'), icon: 'tools' },
  'needs-input': { words: t('needs to know'), icon: 'question' },
  'dirty-source-changed': { words: t('your changes'), icon: 'git-commit' },
  'branch-changed': { words: t('other branch'), icon: 'git-branch' },
  'repository-hooks': { words: t('runs programs'), icon: 'shield' },
  'programs-changed': { words: t('changed what runs'), icon: 'shield' },
  'rule-suggestion': { words: t('suggested rule'), icon: 'lightbulb' },
  'entry-deletion': { words: t('deletes an entry'), icon: 'trash' },
  'learned-statement': { words: t('learned something'), icon: 'mortar-board' },
  'contradicting-entries': { words: t('contradicts an entry'), icon: 'git-compare' },
  'entry-graduation': { words: t('proven in several projects'), icon: 'verified' },
  'new-plans': { words: t('proposes plans'), icon: 'list-tree' },
  'goal-question': { words: t('needs to know'), icon: 'question' },
  'unroutable-message': { words: t('needs a receiver'), icon: 'mail' },
};

const warning = 'list.warningForeground';

/** Questions first, the oldest before the others; then what came to a stop; then what never arrived. */
export function inboxEntries(source: InboxSource): InboxEntry[] {
  const { approvals, deadLetters, questions } = source;
  const oldestFirst = [...approvals].sort((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0,
  );
  return [
    ...oldestFirst.map(approvalEntry),
    ...questions.filter(asksPerson).map(questionEntry),
    ...stoppedEntries(source),
    ...faultEntries(source),
    ...budgetEntries(source.spending),
    ...muteEntries(source),
    ...deadLetters.map(deadLetterEntry),
  ];
}

/** What an expert asks back goes to a person only if the person asked; a plan replies by itself. */
function asksPerson({ from, askedBack }: OpenQuestionRow): boolean {
  return from === 'person' && askedBack !== undefined;
}

function questionEntry(question: OpenQuestionRow): InboxEntry {
  return { kind: 'question', query: question.query, ...questionRow(question) };
}

function approvalEntry(approval: ApprovalRow): InboxEntry {
  const { words, icon } = kinds[approval.kind];
  const { about, why } = rowParts(approval);
  return {
    kind: 'approval',
    approval,
    row: {
      id: `approval:${approval.approval}`,
      label: about,
      description: joinParts([approval.plan === undefined ? undefined : planName(approval.plan), words, why]),
      icon: { name: icon, color: warning },
      ariaLabel: joinParts([t`Question of ${planName(approval.plan)}`, words, about, why], ', '),
      contextValue: joinParts(
        [
          ...['approval', approval.kind, ...approval.decisions.map((word) => `can-${word}`)],
          ...(isVaultApproval(approval.kind) ? ['can-defer'] : []),
        ],
        '.',
      ),
      command: { command: 'ravel.openApproval', title: t('Open Question'), arguments: [approval.approval] },
    },
    tooltip: joinParts(
      [
        `**${plainMarkdown(approval.subject)}**`,
        plainMarkdown(approval.plan ?? t('the vault')),
        t`Asked at ${plainMarkdown(localTime(approval.createdAt))}`,
      ],
      '\n\n',
    ),
  };
}

/** What an owner that died or a session that failed left unfinished. */
function stoppedEntries({ outline, approvals }: InboxSource): InboxEntry[] {
  const asking = new Set(approvals.map(({ plan }) => plan));
  return [...outline.nodes.values()].flatMap((node): InboxEntry[] => {
    const { row, plan } = node;
    if (row === undefined || row.running !== undefined) return [];
    const phase = row.phase ?? 'phase';
    if (row.waiting !== undefined && row.answered !== true && !asking.has(plan)) {
      const words = { label: t`${phase} did not finish`, ariaLabel: t`${phase} of ${planName(plan)} did not finish` };
      return [
        planEntry('interrupted', plan, { ...words, why: row.waiting, icon: { name: 'warning', color: warning } }),
      ];
    }
    if (row.paused === undefined || row.waiting !== undefined) return [];
    const { done, cycles } = row.paused;
    const why = t`it stopped after ${done} of ${counted(cycles, t('{0} cycle'), t('{0} cycles'))}`;
    const words = { label: t('A run is paused'), ariaLabel: t`A run of ${planName(plan)} is paused` };
    return [planEntry('paused', plan, { ...words, why, icon: { name: 'debug-pause', color: 'charts.yellow' } })];
  });
}

/** Files of plans that cannot be read, in the words of the plan's page; each leads to its line. */
function faultEntries({ outline }: InboxSource): InboxEntry[] {
  return [...outline.nodes.values()].flatMap(({ plan, row }) =>
    fileFaults(row?.faults ?? []).map(({ message, help, file, line }, n): InboxEntry => {
      const words = sanitizeLabel(message);
      const open =
        file === undefined
          ? { command: 'ravel.openPlan', title: t('Open Plan'), arguments: [plan] }
          : { command: 'ravel.openFault', title: t('Open at Line'), arguments: [file, line ?? 1] };
      return {
        ...{ kind: 'fault', plan },
        row: {
          id: `fault:${plan}:${n}`,
          label: words,
          description: planName(plan),
          icon: { name: 'error', color: 'list.errorForeground' },
          ariaLabel: t`A file of ${planName(plan)} cannot be read: ${words}`,
          contextValue: 'fault',
          command: open,
        },
        tooltip: joinParts(
          [
            `**${plainMarkdown(message)}**`,
            plainMarkdown(plan),
            help !== undefined && plainMarkdown(inWindowWords(help)),
          ],
          '\n\n',
        ),
      };
    }),
  );
}

function planEntry(
  kind: 'interrupted' | 'paused',
  plan: QualifiedId,
  {
    label,
    ariaLabel,
    why,
    icon,
  }: { readonly label: string; readonly ariaLabel: string; readonly why: string; readonly icon: RowIcon },
): InboxEntry {
  const reason = sanitizeLabel(why);
  return {
    ...{ kind, plan },
    row: {
      id: `${kind}:${plan}`,
      label,
      description: joinParts([planName(plan), reason]),
      icon,
      ariaLabel: joinParts([ariaLabel, reason], ', '),
      contextValue: kind,
      command: { command: 'ravel.openPlan', title: t('Open Plan'), arguments: [plan] },
    },
    tooltip: joinParts([`**${plainMarkdown(label)}**`, plainMarkdown(plan), plainMarkdown(why)], '\n\n'),
  };
}

/** Nothing starts before the next day, unless the user raises the limit. */
function budgetEntries(spending: RequestResults['spending'] | undefined): InboxEntry[] {
  if (spending === undefined || spending.vaultUsdPerDay === 0) return [];
  const spent = (spending.days.at(-1)?.usd ?? 0) + spending.reservedUsd;
  if (spent < spending.vaultUsdPerDay) return [];
  const label = t("Today's budget is spent");
  const words = t`${formatDollars(spent)} of ${formatDollars(spending.vaultUsdPerDay)}, until ${sanitizeLabel(localTime(spending.until), 40)}`;
  return [
    {
      kind: 'budget',
      row: {
        id: 'budget',
        label,
        description: words,
        icon: { name: 'credit-card', color: warning },
        ariaLabel: `${label}, ${words}`,
        contextValue: 'budget',
        command: { command: 'ravel.openVaultSettings', title: t('Open Vault Settings'), arguments: [] },
      },
      tooltip: t`Sessions start again at ${plainMarkdown(localTime(spending.until))}, or once the limit in daemon.toml is higher.`,
    },
  ];
}

/** A plan or an expert that crashed too often takes no messages until the user has looked. */
function muteEntries({ outline, experts }: InboxSource): InboxEntry[] {
  const plans = [...outline.nodes.values()].flatMap(({ plan, row }) =>
    row?.actor?.state === 'faulted' ? [{ actor: plan, why: row.actor.fault?.message }] : [],
  );
  const others = [...experts.actors.values()]
    .filter(({ actor, state }) => state === 'faulted' && actor.startsWith('expert:'))
    .map(({ actor, fault }) => ({ actor, why: fault?.message }));
  return [...plans, ...others].map(({ actor, why = '' }) => {
    const label = t`${planName(actor)} takes no messages`;
    return {
      ...{ kind: 'mute' as const, actor },
      row: {
        id: `mute:${actor}`,
        label,
        description: sanitizeLabel(why),
        icon: { name: 'bell-slash', color: 'list.errorForeground' },
        ariaLabel: joinParts([label, sanitizeLabel(why)], ', '),
        contextValue: 'mute',
      },
      tooltip: joinParts([`**${plainMarkdown(label)}**`, plainMarkdown(why)], '\n\n'),
    };
  });
}

function deadLetterEntry({ message: letter, actor, type, from, reason, text, attempts }: DeadLetterRow): InboxEntry {
  const label = t`A ${sanitizeLabel(type, 40)} did not arrive`;
  const words = joinParts([planName(actor), sanitizeLabel(reason)]);
  return {
    ...{ kind: 'deadLetter', letter, actor },
    row: {
      id: `dead-letter:${letter}`,
      label,
      description: words,
      icon: { name: 'mail', color: 'list.errorForeground' },
      ariaLabel: t`${label} at ${planName(actor)}, from ${sanitizeLabel(from)}, ${sanitizeLabel(reason)}`,
      contextValue: 'deadLetter',
      command: { command: 'ravel.openDeadLetter', title: t('Open Dead Letter'), arguments: [letter] },
    },
    tooltip: joinParts(
      [
        `**${plainMarkdown(label)}**`,
        t`From ${plainMarkdown(from)} to ${plainMarkdown(actor)}, tried ${counted(attempts, t('{0} time'), t('{0} times'))}`,
        plainMarkdown(reason),
        plainMarkdown(text),
      ],
      '\n\n',
    ),
  };
}
