import { css, html, type TemplateResult } from 'lit';
import { isCodePhase, type Phase, phases } from '../src/model/phase.ts';
import { icon } from './icons.ts';

/** The nine phases of a cycle in a row, with the current one marked. */
export function renderStepper(current: Phase | undefined, isRunning: boolean): TemplateResult {
  return html`<ol class="stepper" aria-label="Phases">
    ${phases.map((phase) => {
      const isCurrent = phase === current;
      const name = isCodePhase(phase) ? 'commit' : phase;
      return html`<li
        class=${isCurrent ? 'current' : isCodePhase(phase) ? 'code' : ''}
        aria-current=${isCurrent ? 'step' : 'false'}
        title=${phase}
      >
        ${icon(isCurrent ? (isRunning ? 'loading' : 'circle-filled') : 'circle-large-outline', isCurrent && isRunning)}
        <span class="name">${name}</span>
      </li>`;
    })}
  </ol>`;
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
  .stepper .current {
    color: var(--vscode-badge-foreground);
    background: var(--vscode-badge-background);
    border-color: var(--vscode-contrastBorder, transparent);
    font-weight: 600;
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
