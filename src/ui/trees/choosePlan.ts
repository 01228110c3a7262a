import { t } from '@vscode/l10n';
import { failure } from '../../model/codes.ts';
import { compareIds, isQualifiedId, type QualifiedId } from '../../model/id.ts';
import type { Choice } from '../choice.ts';
import type { PlanNode } from '../planOutline.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import type { VaultModel } from '../vaultModel.ts';
import { askingPlans, planRow } from './planRows.ts';

export interface PlanQuestion {
  readonly title: string;
  /** Which plans come into question; all of them without it. */
  readonly fits?: (node: PlanNode) => boolean;
  /** Said if none does. */
  readonly none?: string;
}

/**
 * The plan that a command is about: the one that it was called on, else the one that a person picks. Undefined if they
 * picked none.
 */
export async function choosePlan(
  ui: Pick<UiContext, 'link' | 'model' | 'prompter' | 'recentPlans'>,
  argument: unknown,
  question: PlanQuestion,
): Promise<QualifiedId | undefined> {
  const plan = await givenOrPicked(ui, argument, question);
  if (plan !== undefined) ui.recentPlans.record(plan);
  return plan;
}

async function givenOrPicked(
  { link, model, prompter, recentPlans }: Parameters<typeof choosePlan>[0],
  argument: unknown,
  { title, fits = () => true, none }: PlanQuestion,
): Promise<QualifiedId | undefined> {
  const given = typeof argument === 'string' ? argument.replace(rowPrefix, '') : '';
  if (isQualifiedId(given)) return given;
  requireLink({ link });
  const nodes = [...model.outline.nodes.values()];
  if (nodes.length === 0) throw failure('ui/noPlan', t('the vault'), t('This vault has no plans yet.'));
  const fitting = nodes.filter(fits);
  if (fitting.length === 0) {
    await prompter.info(none ?? t('No plans match.'));
    return undefined;
  }
  const inOrder = [...fitting].sort((a, b) => compareIds(a.plan, b.plan));
  const sorted = recentPlans.sort(inOrder, ({ plan }) => plan);
  return prompter.pick(planChoices(sorted, model), { title, matchOnDescription: true, matchOnDetail: true });
}

/** What rows of the Inbox put before the plan that they are about. */
const rowPrefix = /^(?:interrupted|paused|mute):/;

function planChoices(nodes: readonly PlanNode[], model: VaultModel): Choice<QualifiedId>[] {
  const surroundings = { asking: askingPlans(model.approvals) };
  return nodes.map((node) => ({
    label: plainChoice(node.plan),
    description: plainChoice(planRow(node, surroundings).description ?? ''),
    detail: plainChoice(node.description),
    value: node.plan,
  }));
}
