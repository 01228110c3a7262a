import { css } from 'lit';

/** What the tabs beside the session have in common, over what all elements have. */
export const tabStyles = css`
  :host {
    padding: 0.8em 1em 2em;
    height: 100%;
    overflow: auto;
  }
  h2 {
    margin: 1.4em 0 0.3em;
  }
  h2:first-child {
    margin-top: 0;
  }
  p {
    max-width: 70em;
    overflow-wrap: anywhere;
  }
  .number {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em 0.8em;
    align-items: flex-end;
    margin: 0.6em 0;
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.8em;
    align-items: baseline;
    width: 100%;
    min-height: 1.9em;
    padding: 0.25em 0.4em;
    border: 0;
    border-radius: 3px;
    text-align: left;
  }
  summary {
    cursor: pointer;
    border-radius: 3px;
  }
  summary:hover,
  button.line:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .wide {
    flex: 1 1 12em;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .inset {
    margin: 0.2em 0 0.8em 1.6em;
  }
  pre {
    margin: 0.3em 0;
    padding: 0.5em 0.7em;
    max-height: 28em;
    overflow: auto;
    background: var(--vscode-textCodeBlock-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .problem {
    margin: 0.6em 0;
    padding: 0.4em 0.7em;
    border-left: 3px solid var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
    background: var(--vscode-inputValidation-errorBackground);
    color: var(--vscode-inputValidation-errorForeground, inherit);
  }
  .markdown :is(p, ul, ol, pre, h1, h2, h3) {
    margin: 0 0 0.5em;
  }
  .markdown :is(h1, h2, h3) {
    font-size: 1em;
  }
  .markdown ul {
    list-style: disc;
    padding-left: 1.4em;
  }
  .markdown ol {
    list-style: decimal;
    padding-left: 1.6em;
  }
`;
