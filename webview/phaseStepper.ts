import { t } from '@vscode/l10n';
import { css, html, type TemplateResult } from 'lit';
import { isCodePhase, type Phase, phases } from '../src/model/phase.ts';
import { type IconName, icon } from './icons.ts';

/** One of the nine phases of a cycle, as the row of them shows it. */
export interface Step {
  readonly phase: Phase;
  /** Its phase, or for a commit what that holds. */
  readonly name: string;
  readonly state: 'past' | 'current' | 'ahead';
}

/** A cycle begins with its first phase, so all before the current one is behind it. */
export function phaseSteps(current: Phase | undefined): Step[] {
  const at = current === undefined ? -1 : phases.indexOf(current);
  return phases.map((phase, index) => ({
    phase,
    name: isCodePhase(phase) ? phase.replace('git-commit-', 'commit ') : phase,
    state: index === at ? 'current' : index < at ? 'past' : 'ahead',
  }));
}

/** The nine phases of a cycle in a row: those that are over are ticked off, and the current one is marked. */
export function renderStepper(current: Phase | undefined, isRunning: boolean): TemplateResult {
  return html`<ol class="stepper" aria-label=${t('Phases')}>
    ${phaseSteps(current).map(({ phase, name, state }) => {
      const isCurrent = state === 'current';
      return html`<li
        class=${`${state} ${isCodePhase(phase) ? 'code' : ''}`}
        aria-current=${isCurrent ? 'step' : 'false'}
        title=${state === 'past' ? t`${name}: over` : name}
      >
        ${icon(signOf(phase, state, isRunning), isCurrent && isRunning)}
        <span class="name">${name}</span>${state === 'past' ? html`<span class="spoken">${t(', over')}</span>` : ''}
      </li>`;
    })}
  </ol>`;
}

function signOf(phase: Phase, state: Step['state'], isRunning: boolean): IconName {
  if (state === 'past') return 'check';
  if (state === 'ahead') return isCodePhase(phase) ? 'git-commit' : 'circle-large-outline';
  return isRunning ? 'loading' : 'circle-filled';
}

export const stepperStyles = css`
  .stepper {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 4px;
    padding: 0;
  }
  .stepper li {
    display: flex;
    align-items: center;
    gap: 2px;
    padding: 1px 6px 1px 2px;
    color: var(--vscode-descriptionForeground);
    border: 1px solid transparent;
    border-radius: 10px;
  }
  .stepper .icon {
    font-size: 0.9em;
  }
  .stepper .past .icon {
    color: var(--vscode-charts-green);
  }
  .stepper .current {
    color: var(--vscode-badge-foreground);
    background: var(--vscode-badge-background);
    border-color: var(--vscode-contrastBorder, transparent);
    font-weight: 600;
  }
  /* Commits follow by themselves: in a narrow window their signs are enough, and below that those of all. */
  @media (max-width: 1000px) {
    .stepper .code:not(.current) .name {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .stepper .code:not(.current) {
      padding: 1px 0;
    }
  }
  @media (max-width: 640px) {
    .stepper li:not(.current) .name {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .stepper li:not(.current) {
      padding: 1px 0;
    }
  }
`;
