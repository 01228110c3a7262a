import { css } from 'lit';

/** What every element of a page looks alike in; colours are those of the editor's theme. */
export const sharedStyles = css`
  :host {
    display: block;
    box-sizing: border-box;
    min-width: 0;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  h1,
  h2,
  h3,
  p,
  ol,
  ul,
  pre {
    margin: 0;
    padding: 0;
  }
  h1 {
    font-size: 1.25em;
    font-weight: 600;
    line-height: 1.3;
  }
  h2 {
    font-size: 1em;
    font-weight: 600;
  }
  ol,
  ul {
    list-style: none;
  }
  pre,
  code {
    font-family: var(--vscode-editor-font-family);
    font-size: var(--vscode-editor-font-size);
  }
  pre {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    tab-size: 4;
  }
  a {
    color: var(--vscode-textLink-foreground);
  }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid transparent;
    border-radius: 3px;
    padding: 2px 4px;
    /* So large that a finger and an unsteady hand hit it: WCAG 2.2, target size. */
    min-width: 24px;
    min-height: 24px;
    cursor: pointer;
  }
  button:hover {
    background: var(--vscode-toolbar-hoverBackground);
  }
  /* Both kits of controls draw every button in the border of primary ones, which some themes give the colour of the focus. */
  vscode-button[appearance="secondary"] {
    --button-border: var(--vscode-button-secondaryBorder, var(--vscode-button-border, transparent));
  }
  vscode-button:focus-visible {
    outline: none;
  }
  vscode-button:focus:not(:focus-visible)::part(base) {
    outline: none;
  }
  vscode-button[appearance="secondary"]::part(base) {
    color: var(--vscode-button-secondaryForeground);
    background: var(--vscode-button-secondaryBackground);
    border-color: var(--button-border);
  }
  vscode-button[appearance="secondary"]:not([disabled]):hover::part(base) {
    background: var(--vscode-button-secondaryHoverBackground);
  }
  .icon {
    display: inline-block;
    width: 1.2em;
    font: normal 1.15em / 1 codicon;
    text-align: center;
    vertical-align: middle;
  }
  .spins {
    animation: spin 1.5s linear infinite;
  }
  .field {
    padding: 3px 6px;
    font: inherit;
    color: var(--vscode-input-foreground);
    background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
    border-radius: 2px;
  }
  .field::placeholder {
    color: var(--vscode-input-placeholderForeground);
    opacity: 1;
  }
  .faint {
    color: var(--vscode-descriptionForeground);
  }
  /* Signs are coloured and words are not: no colour is legible as a word on every background. */
  .good .icon {
    color: var(--vscode-charts-green);
  }
  .bad .icon {
    color: var(--vscode-errorForeground);
  }
  .notice .icon {
    color: var(--vscode-editorWarning-foreground);
  }
  .badge {
    display: inline-block;
    padding: 0 6px;
    border-radius: 9px;
    font-size: 0.85em;
    line-height: 1.5;
    color: var(--vscode-badge-foreground);
    background: var(--vscode-badge-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
  }
  .grow {
    flex: 1 1 auto;
    min-width: 0;
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @keyframes spin {
    to {
      transform: rotate(360deg);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spins {
      animation: none;
    }
  }
  :host-context(.vscode-reduce-motion) .spins {
    animation: none;
  }
`;
