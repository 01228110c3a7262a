import { t } from '@vscode/l10n';
import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import { descriptionLengthMax } from '../../model/plan.ts';
import type { Choice } from '../choice.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { descriptionMessage, planNameProblem } from './names.ts';

/** Questions that several commands ask; each gives undefined if the person answers nothing. */
export function askDescription({ prompter }: UiContext, question: string): Promise<string | undefined> {
  return prompter.input({
    title: question,
    prompt: t`One sentence that names the lasting scope, of at most ${descriptionLengthMax} characters`,
    placeHolder: t("The shop's web service and its tests."),
    ignoreFocusOut: true,
    validateInput: descriptionMessage,
  });
}

/** The name of a plan right below `parent`. */
export async function askPlanName(ui: UiContext, parent: QualifiedId, example: string): Promise<string | undefined> {
  const { plans } = await requireLink(ui).api.request('outline', {});
  const siblings = plans.flatMap(({ plan }) => nameBelow(parent, plan) ?? []);
  const name = await ui.prompter.input({
    title: t`A plan below ${sanitizeLabel(parent)}`,
    prompt: t('Its name, which is also the name of its folder'),
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (text) => planNameProblem(text, parent, siblings),
  });
  return name?.trim();
}

/** A plan of this vault; if there is only one, the user is not asked. */
export async function pickPlan(ui: UiContext, title: string, question: string): Promise<QualifiedId | undefined> {
  // Read from the vault itself: a plan that a command made a moment ago might not be in a view yet.
  const { plans } = await requireLink(ui).api.request('outline', {});
  const choices: Choice<QualifiedId>[] = plans.map(({ plan, description, phase }) => ({
    label: plainChoice(plan),
    ...defined({ description: phase }),
    detail: plainChoice(description),
    value: plan,
  }));
  const [only, ...others] = choices;
  if (only === undefined) throw failure('ui/noPlan', 'vault', t('This vault has no plans yet.'));
  if (others.length === 0) return only.value;
  const picked = await ui.prompter.pick(
    ui.recentPlans.sort(choices, ({ value }) => value),
    { title, placeHolder: question, matchOnDescription: true, matchOnDetail: true },
  );
  if (picked !== undefined) ui.recentPlans.record(picked);
  return picked;
}

function nameBelow(parent: QualifiedId, plan: QualifiedId): string | undefined {
  if (!plan.startsWith(`${parent}/`)) return undefined;
  const name = plan.slice(parent.length + 1);
  return name.includes('/') ? undefined : name;
}
