import { css } from 'lit';

export const listStyles = css`
  :host {
    position: relative;
    height: 100%;
    min-height: 0;
  }
  lit-virtualizer {
    height: 100%;
    scrollbar-gutter: stable;
  }
  .empty {
    padding: 24px 16px;
    color: var(--vscode-descriptionForeground);
  }
  .to-end {
    position: absolute;
    right: 24px;
    bottom: 12px;
    padding: 3px 10px;
    color: var(--vscode-button-secondaryForeground);
    background: var(--vscode-button-secondaryBackground);
    border-color: var(--vscode-contrastBorder, transparent);
  }
  .to-end:hover {
    background: var(--vscode-button-secondaryHoverBackground);
  }
`;
