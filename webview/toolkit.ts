import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the controls of the toolkit: `<vscode-button>`, `-dropdown` with `-option`, `-text-area` and `-text-field`,
 * whose label is what stands between their tags. The toolkit is no longer developed, so this file alone knows of it, and
 * tests reach what it renders by role and label. Its badge and its progress write style attributes, which our pages
 * forbid: `<span class="badge">` and the native `<progress>` take their place.
 */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}
