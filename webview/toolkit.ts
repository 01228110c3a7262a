import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the same controls as `elements.ts`, from the toolkit that the pages were first made with: tests reach what
 * either renders by role and label. The toolkit is archived, so only a build with `RAVEL_CONTROLS=toolkit` has it, for the
 * comparison in docs/design/controls.md. Its badge and its progress write style attributes, which our pages forbid:
 * `<span class="badge">` and the native `<progress>` take their place.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}
