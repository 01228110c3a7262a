import { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import { VscodeOption } from '@vscode-elements/elements/dist/vscode-option/vscode-option.js';
import { VscodeSingleSelect } from '@vscode-elements/elements/dist/vscode-single-select/vscode-single-select.js';
import { VscodeTextarea } from '@vscode-elements/elements/dist/vscode-textarea/vscode-textarea.js';
import { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';
import { type CSSResult, type CSSResultGroup, css, html, type ReactiveElement, unsafeCSS } from 'lit';

/**
 * Registers the controls of the pages: `<vscode-button>`, `-dropdown` with `-option`, `-text-area` and `-text-field`, whose
 * label is what stands between their tags, from the successor of the archived toolkit. This file alone knows of it;
 * `toolkit.ts` registers the same with the toolkit, in a build with `RAVEL_CONTROLS=toolkit`. `docs/design/controls.md`
 * compares both. Importing the library registers its own tags, among them the button and the option.
 */
export function registerControls(): void {
  VscodeButton.addInitializer((button) => button.addController(disabledIsSaid(button as VscodeButton)));
  // A list takes the names of its options from here, where a browser has nothing while a part of the page is folded.
  Object.defineProperty(VscodeOption.prototype, 'innerText', {
    get(this: VscodeOption) {
      return this.textContent ?? '';
    },
  });
  customElements.define('vscode-dropdown', Dropdown);
  customElements.define('vscode-text-area', TextArea);
  customElements.define('vscode-text-field', TextField);
}

/** The library's button is an element with the role of one, and tells only the eyes that it cannot be pressed. */
function disabledIsSaid(button: VscodeButton) {
  return {
    hostUpdated(): void {
      button.ariaDisabled = button.disabled ? 'true' : null;
    },
  };
}

/** The library draws a control a moment after it was added, and one that is not drawn takes no focus. */
function whenDrawn(control: ReactiveElement, then: () => void): void {
  if (control.hasUpdated) then();
  else control.updateComplete.then(then, () => undefined);
}

/** A page names a control as it names any other element; the library takes that name from a property. */
function nameOf(element: ReactiveElement): string {
  return element.getAttribute('aria-label') ?? '';
}

const labelled = css`
  :host {
    width: auto;
    min-width: 100px;
  }
  label {
    display: block;
    margin-bottom: 4px;
    cursor: pointer;
  }
  label[hidden] {
    display: none;
  }
  /* Would lie over the label. */
  .shadow {
    display: none !important;
  }
`;

/** The style sheets of a control without the pictures in them, which the policy of our pages forbids. */
function withoutPictures(styles: CSSResultGroup): CSSResult[] {
  const sheets = [styles].flat(10) as CSSResult[];
  return sheets.map(({ cssText }) => unsafeCSS(cssText.replaceAll(/url\('data:[^']*'\)/g, 'none')));
}

/** A label for the field with this id, made of what stands between the tags of its control. */
function renderLabel(control: HTMLElement, field: string): unknown {
  const isEmpty = (control.textContent ?? '').trim() === '';
  return html`<label for=${field} ?hidden=${isEmpty}><slot></slot></label>`;
}

class TextField extends VscodeTextfield {
  static override styles = [VscodeTextfield.styles, labelled];

  override connectedCallback(): void {
    super.connectedCallback();
    this.label = nameOf(this);
  }

  override focus(options?: FocusOptions): void {
    whenDrawn(this, () => super.focus(options));
  }

  override render() {
    return html`${renderLabel(this, 'input')}${super.render()}`;
  }
}

class TextArea extends VscodeTextarea {
  static override styles = [withoutPictures(VscodeTextarea.styles), labelled];

  override connectedCallback(): void {
    super.connectedCallback();
    this.label = nameOf(this);
  }

  override focus(options?: FocusOptions): void {
    whenDrawn(this, () => super.focus(options));
  }

  override render() {
    return html`${renderLabel(this, 'textarea')}${super.render()}`;
  }
}

class Dropdown extends VscodeSingleSelect {
  override connectedCallback(): void {
    super.connectedCallback();
    this.label = nameOf(this);
  }
}
