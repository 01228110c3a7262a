import { css } from 'lit';

/** What rows of a session look like, in any list. */
export const rowStyles = css`
  .item {
    width: 100%;
    padding: 3px 12px 3px 16px;
    border-left: 2px solid transparent;
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .item:focus {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .item.phase-item {
    padding-top: 10px;
    padding-bottom: 6px;
  }
  .said > * {
    margin: 0 0 0.5em;
  }
  .said > :last-child {
    margin-bottom: 0;
  }
  .said ul,
  .said ol {
    padding-left: 1.6em;
    list-style: revert;
  }
  .said pre,
  .inside pre {
    max-height: 30em;
    overflow: auto;
    padding: 6px 8px;
    background: var(--vscode-textCodeBlock-background);
    border: 1px solid var(--vscode-contrastBorder, transparent);
    border-radius: 3px;
  }
  .said :not(pre) > code {
    padding: 0 3px;
    border-radius: 3px;
    color: var(--vscode-textPreformat-foreground);
    background: var(--vscode-textPreformat-background);
  }
  .said blockquote {
    padding-left: 8px;
    border-left: 3px solid var(--vscode-textBlockQuote-border);
  }
  .said table {
    border-collapse: collapse;
  }
  .said th,
  .said td {
    padding: 2px 8px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, currentcolor));
  }
  .call {
    display: flex;
    align-items: center;
    gap: 6px;
    width: 100%;
    padding: 1px 0;
    text-align: left;
  }
  .call .what {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-family: var(--vscode-editor-font-family);
    font-size: var(--vscode-editor-font-size);
  }
  .call .state,
  .call .count {
    flex: none;
    white-space: nowrap;
  }
  .did,
  .failure,
  .details,
  .cut {
    padding-left: 2.9em;
  }
  .details li {
    white-space: pre-wrap;
  }
  .details li::before {
    content: "– ";
  }
  .inside {
    padding: 4px 0 6px 2.9em;
  }
  .inside pre {
    margin-bottom: 4px;
  }
  .edit ins,
  .edit del {
    display: block;
    padding: 0 4px;
    text-decoration: none;
  }
  .edit ins {
    background: var(--vscode-diffEditor-insertedTextBackground);
    border-left: 3px solid var(--vscode-charts-green);
  }
  .edit del {
    background: var(--vscode-diffEditor-removedTextBackground);
    border-left: 3px solid var(--vscode-charts-red);
  }
  .edit :empty {
    display: none;
  }
  .count ins,
  .count del {
    text-decoration: none;
    color: var(--vscode-descriptionForeground);
  }
  .small {
    color: var(--vscode-textLink-foreground);
  }
  @media (max-width: 420px) {
    .item {
      padding-left: 6px;
      padding-right: 6px;
    }
    .did,
    .failure,
    .details,
    .cut,
    .inside {
      padding-left: 1.2em;
    }
  }
`;
