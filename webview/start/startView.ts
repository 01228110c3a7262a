import { t } from '@vscode/l10n';
import { css, html, nothing } from 'lit';
import type { Disposable } from '../../src/base/disposable.ts';
import { isStartView, type NeedRow, type StartView, type StartWay } from '../../src/model/webview.ts';
import { icon } from '../icons.ts';
import { PageElement } from '../pageElement.ts';
import { sharedStyles } from '../styles.ts';
import { tabStyles } from '../tabs/tabStyles.ts';

interface Way {
  readonly way: StartWay;
  readonly title: string;
  readonly about: string;
  readonly button: string;
}

/** The ways to begin, the quickest first. */
const ways: readonly Way[] = [
  {
    way: 'demo',
    title: t('Try the demo'),
    about: t(
      'One whole cycle on a small project of its own: real edits, checks and commits. It needs no model and no account.',
    ),
    button: t('Run the Demo'),
  },
  {
    way: 'vault',
    title: t('Make a vault'),
    about: t('A vault is a folder of plain files that holds your plans. Your projects stay where they are.'),
    button: t('Create Vault…'),
  },
  {
    way: 'goal',
    title: t('Plan from a goal'),
    about: t(
      'Say what you want to reach. A session reads your project and proposes plans, and nothing is written before you accept. It needs Claude Code.',
    ),
    button: t('Plan From a Goal…'),
  },
];

/** The first page: the ways to begin, and whether this machine has what they need. */
export class RavelStart extends PageElement {
  static override properties = {
    view: { state: true },
  };

  static override styles = [
    sharedStyles,
    tabStyles,
    css`
      :host {
        height: 100vh;
        overflow: auto;
        padding: 1.2em 1em 2em;
      }
      .column {
        max-width: 52em;
      }
      .ways {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(14em, 1fr));
        gap: 1em;
        margin: 1em 0;
      }
      .way {
        display: flex;
        flex-direction: column;
        gap: 0.6em;
        align-items: flex-start;
        padding: 12px;
        border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent));
        border-radius: 4px;
      }
      .way p {
        flex: 1;
      }
      .needs li {
        margin: 6px 0;
      }
    `,
  ];

  declare protected view: StartView | undefined;

  protected override listen(): readonly Disposable[] {
    return [
      this.host.onShow(({ view, window }) => {
        if (!isStartView(view)) return;
        this.view = view;
        this.windowState = window;
      }),
      this.host.onOpened((window) => {
        this.windowState = window;
      }),
    ];
  }

  protected override render(): unknown {
    const { readOnly } = this.windowState;
    return html`<div class="column">
      <h1>${t('Begin with Ravel')}</h1>
      ${readOnly === undefined ? nothing : html`<p class="notice">${icon('warning')} ${readOnly}</p>`}
      <ul class="ways">
        ${ways.map(
          ({ way, title, about, button }, index) => html`<li class="way">
            <h2>${title}</h2>
            <p>${about}</p>
            <vscode-button
              appearance=${index === 0 ? 'primary' : 'secondary'}
              ?disabled=${readOnly !== undefined}
              @click=${() => this.#go(way)}
              >${button}</vscode-button
            >
          </li>`,
        )}
      </ul>
      <h2>${t('What Ravel needs')}</h2>
      ${this.#renderNeeds(this.view?.needs)}
      <div class="bar">
        ${this.#renderButton('again', t('Check Again'))} ${this.#renderButton('open', t('Open Vault…'))}
        ${this.#renderButton('steps', t('Show the Five Steps'))}
      </div>
    </div>`;
  }

  #renderNeeds(needs: readonly NeedRow[] | undefined): unknown {
    if (needs === undefined) return html`<p class="faint" role="status">${t('Looking at this machine …')}</p>`;
    return html`<div role="status"><ul class="needs">
      ${needs.map(
        ({ name, isReady, text }) => html`<li class=${isReady ? nothing : 'notice'}>
          ${icon(isReady ? 'check' : 'warning')} ${text}
          ${isReady ? nothing : this.#renderButton(name, name === 'git' ? t('Get Git') : t('How to Set It Up'))}
        </li>`,
      )}
    </ul></div>`;
  }

  #renderButton(way: StartWay, words: string): unknown {
    return html`<vscode-button appearance="secondary" @click=${() => this.#go(way)}>${words}</vscode-button>`;
  }

  #go(way: StartWay): void {
    this.host.open({ kind: 'start', way });
  }
}
