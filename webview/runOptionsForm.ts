import { t } from '@vscode/l10n';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ReadyTask, RunOptions } from './runOptions.ts';
import { readableText } from './session/readableText.ts';

export interface RunOptionsForm {
  readonly options: RunOptions;
  /** Those to choose from; none if the phase that is next takes no task. */
  readonly tasks: readonly ReadyTask[];
  readonly onChange: (changes: Partial<RunOptions>) => void;
}

/** What can be chosen for the next run. */
export function renderRunOptions({ options: { task, cycles }, tasks, onChange }: RunOptionsForm): TemplateResult {
  const chosen = (event: Event) => (event.target as HTMLInputElement).value;
  return html`<details>
    <summary>${t('Options')}</summary>
    <div class="row options">
      ${
        tasks.length === 0
          ? nothing
          : // A label around the list would press it a second time, and close it at once.
            html`<div class="choice">
              <span aria-hidden="true">${t('Task')}</span>
              <vscode-dropdown aria-label=${t('Task')} @change=${(event: Event) => onChange({ task: chosen(event) })}>
                <vscode-option value="" ?selected=${task === ''}>${t('The first ready task')}</vscode-option>
                ${tasks.map(
                  ({ id, title }) =>
                    html`<vscode-option value=${id} ?selected=${id === task}>${readableText(title)}</vscode-option>`,
                )}
              </vscode-dropdown>
            </div>`
      }
      <label
        >${t('Cycles')}
        <input
          class="field"
          type="number"
          min="1"
          max="100"
          .value=${String(cycles)}
          @change=${(event: Event) => onChange({ cycles: Math.max(1, Math.floor(Number(chosen(event))) || 1) })}
      /></label>
    </div>
  </details>`;
}

export const optionStyles = css`
  details {
    margin-top: 6px;
  }
  summary {
    cursor: pointer;
    width: max-content;
  }
  .options {
    align-items: end;
  }
  .options label,
  .options .choice {
    display: grid;
    gap: 2px;
  }
  .options vscode-dropdown {
    min-width: 120px;
    max-width: 100%;
  }
  .options input {
    width: 5em;
    height: 26px;
  }
`;
