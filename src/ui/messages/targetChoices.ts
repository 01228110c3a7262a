import { t } from '@vscode/l10n';
import { isQualifiedId, projectOf, type QualifiedId } from '../../model/id.ts';
import type { Target } from '../../model/namedTarget.ts';
import type { PlanOutline } from '../planOutline.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import { isProjectRoot } from '../trees/planRows.ts';
import type { VaultExperts } from '../vaultModel.ts';

/** A possible target of a message, as a row to choose from. */
export interface TargetChoice {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly value: Target;
}

export interface Targets {
  readonly outline: PlanOutline;
  readonly experts: Pick<VaultExperts, 'rows'>;
}

/** No particular target first, then the plans of the sender's own project, projects, experts, and all other plans. */
export function targetChoices({ outline, experts }: Targets, from: QualifiedId | undefined): TargetChoice[] {
  const own = from === undefined ? undefined : projectOf(from);
  const plans = [...outline.nodes.values()].filter(({ plan }) => plan !== from);
  const planChoice = ({ plan, description }: (typeof plans)[number]): TargetChoice => ({
    ...{ label: plainChoice(plan), description: t('plan'), detail: plainChoice(description) },
    value: targetOf(plan, from),
  });
  const projects = [...outline.projects.keys()].filter((project) => project !== own);
  return [
    {
      label: t('Let Ravel decide'),
      description: t('by rules and scores, then by a session that reads all plans'),
      value: { kind: 'auto' },
    },
    ...plans.filter(({ plan }) => projectOf(plan) === own).map(planChoice),
    ...projects.map(
      (project): TargetChoice => ({
        ...{ label: plainChoice(project), description: t('project: Ravel finds the right plan in it') },
        value: { kind: 'project', name: project },
      }),
    ),
    ...experts.rows.map(
      ({ actor, declaration }): TargetChoice => ({
        ...{ label: plainChoice(actor), description: t('expert'), detail: plainChoice(declaration.description) },
        value: { kind: 'expert', name: actor.replace(/^expert:/, '') },
      }),
    ),
    ...plans.filter(({ plan }) => projectOf(plan) !== own).map(planChoice),
  ];
}

/**
 * How a plan is named as the target: a plan of another project by its project, which may know better; what has the root
 * plan in mind means that project as a whole.
 */
export function targetOf(plan: QualifiedId, from: QualifiedId | undefined): Target {
  const project = projectOf(plan);
  if (from === undefined || project === projectOf(from)) return { kind: 'plan', name: plan };
  return { kind: 'project', name: project, ...(!isProjectRoot(plan) && { suggested: plan }) };
}

/** The target in words, for a title. */
export function targetWords(target: Target): string {
  if (target.kind === 'auto') return t('the right plan');
  if (target.kind === 'plan') return isQualifiedId(target.name) ? target.name : 'a plan';
  const suggested = target.kind === 'project' ? target.suggested : undefined;
  return suggested ?? `${target.kind} ${target.name}`;
}
