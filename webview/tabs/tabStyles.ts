import { css } from 'lit';

/** A tab fills what its frame gives it, and scrolls by itself: its content never pushes the frame about. */
export const wholeTab = css`
  :host {
    padding: 0.8em 1em 2em;
    height: 100%;
    overflow: auto;
    contain: strict;
  }
`;

/** What the tabs beside the session have in common, over what all elements have. */
export const tabStyles = css`
  h2 {
    margin: 1.4em 0 0.3em;
  }
  /* A remark beside a heading; words are never coloured, for no colour is legible on every background. */
  h2 .faint {
    font-weight: 400;
  }
  h2:first-child {
    margin-top: 0;
  }
  p {
    max-width: 70em;
    margin: 0.2em 0;
    overflow-wrap: anywhere;
  }
  .number {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1em;
    font-variant-numeric: tabular-nums;
  }
  .figures > * {
    white-space: nowrap;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em 0.8em;
    align-items: center;
    margin: 0.6em 0;
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.8em;
    align-items: center;
    width: 100%;
    min-height: 24px;
    padding: 0.3em 0.4em;
    border: 0;
    border-radius: 3px;
    text-align: left;
  }
  /* What lies in a details element does not inherit from it. */
  details > * {
    box-sizing: border-box;
  }
  summary {
    cursor: pointer;
    border-radius: 3px;
  }
  summary.line::before {
    content: "\\eab6";
    flex: none;
    width: 1.2em;
    font: normal 1.15em / 1 codicon;
  }
  details[open] > summary.line::before {
    content: "\\eab4";
  }
  summary:hover,
  button.line:hover {
    background: var(--vscode-list-hoverBackground);
  }
  /* A button in a text, which leads somewhere as a link does. */
  .led {
    color: var(--vscode-textLink-foreground);
    text-decoration: underline;
  }
  .wide {
    flex: 1 1 9em;
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
