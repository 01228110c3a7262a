import { t } from '@vscode/l10n';
import { localTime } from '../../base/localTime.ts';
import type { ExpertPosition, Ingestion, IngestionCandidate } from '../../model/ingestion.ts';
import type { Choice } from '../choice.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { type LinkedPart, type Page, PageWriter } from './page.ts';
import { quoted } from './receiptText.ts';

/** What each state of a statement means. */
const stateWords: Readonly<Record<IngestionCandidate['state'], string>> = {
  new: t('not offered yet'),
  offered: t('offered to experts'),
  waiting: t('waits for you'),
  added: t('added as an entry'),
  confirmed: t('confirms an entry'),
  rejected: t('rejected'),
  refused: t('refused by a check'),
  known: t('told to the plan before'),
};

/** What a person can have offered once more. */
const offeredAgain: readonly IngestionCandidate['state'][] = ['rejected', 'refused', 'known'];

/** What one cycle taught as a page to read: each statement, what proves it, what experts said, what became of it. */
export function learnedDocument({ id, at, plan, candidates }: Ingestion): Page {
  const page = new PageWriter();
  page.line(t`# What ${sanitizeLabel(plan)} learned, ${sanitizeLabel(localTime(at), 40)}`);
  page.line();
  if (candidates.some(({ state }) => offeredAgain.includes(state))) {
    const to = { command: 'ravel.replayLearned', arguments: [id] };
    const tooltip = t('Experts are asked again about what was rejected, refused or known');
    page.line({ text: t('Offer again what no entry says'), tooltip, to });
  }
  for (const candidate of candidates) statement(page, candidate);
  if (candidates.length === 0) page.lines(['', t('This cycle proved nothing.')]);
  return page.page();
}

function statement(page: PageWriter, candidate: IngestionCandidate): void {
  const { title, body, state, claims, folder, tags, near, positions, outcome, became, asked } = candidate;
  page.heading(`${sanitizeLabel(title)}: ${stateWords[state]}`);
  page.lines([...quoted(body, 2000), '']);
  page.lines(claims.map((claim) => t`- Proven: ${sanitizeLabel(claim, 400)}`));
  page.line(
    t`- Place: ${sanitizeLabel(folder)}${tags.length === 0 ? '' : t`, tags ${sanitizeLabel(tags.join(', '))}`}`,
  );
  for (const { title: other, path, score } of near)
    page.line('- Near: ', entry(other, path), t` (${sanitizeLabel(path)}), likeness ${score.toFixed(2)} of 1`);
  for (const { expert, verdict, reason } of positions)
    page.line(`- ${sanitizeLabel(expert, 120)} ${verdictWords[verdict]}: ${sanitizeLabel(reason, 400)}`);
  if (outcome !== undefined) page.line(t`- Outcome: ${sanitizeLabel(outcome, 400)}`);
  if (became !== undefined) page.line('- Entry: ', entry(became, became));
  const [kind = '', question] = (state === 'waiting' && Object.entries(asked).at(-1)) || [];
  if (question === undefined) return;
  const open = { command: 'ravel.openApproval', arguments: [question] };
  const compare = { command: 'ravel.compareWithNearest', arguments: [question] };
  const hasNear = near.length > 0 && kind.startsWith('learned-statement');
  page.line(
    ...['- ', { text: t('Open the question'), tooltip: t('It waits for your answer'), to: open }],
    ...(hasNear
      ? [' · ', { text: t('Compare with nearest entry'), tooltip: t('Show both side by side'), to: compare }]
      : []),
  );
}

function entry(title: string, path: string): LinkedPart {
  return { text: sanitizeLabel(title), tooltip: t('Open the entry'), to: { file: path } };
}

const verdictWords: Readonly<Record<ExpertPosition['verdict'], string>> = {
  absorb: t('takes it in'),
  link: t('has it already'),
  reject: t('rejects it'),
  none: t('did not decide'),
};

/** What cycles taught to choose from: the plan, when, and what became of each statement. */
export function learnedChoices(ingestions: readonly Ingestion[]): Choice<Ingestion>[] {
  return ingestions.map((ingestion) => ({
    label: plainChoice(ingestion.plan),
    description: plainChoice(localTime(ingestion.at)),
    detail: plainChoice(
      ingestion.candidates.map(({ title, state }) => `${title}: ${stateWords[state]}`).join('; ') ||
        t('Nothing was proven'),
      300,
    ),
    value: ingestion,
  }));
}
