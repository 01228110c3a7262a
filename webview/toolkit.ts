import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeLink,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the controls of the toolkit: `<vscode-button>`, `-checkbox`, `-dropdown` with `-option`, `-link`, `-panels`
 * with `-panel-tab` and `-panel-view`, `-text-area` and `-text-field`. The toolkit is no longer developed, so this file
 * alone knows of it, and tests reach what it renders by role and label. Its badge and its progress write style attributes,
 * which our pages forbid: `<span class="badge">` and the native `<progress>` take their place.
 */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeLink(),
    vsCodeOption(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}
