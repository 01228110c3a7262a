import { LitElement, type PropertyDeclarations } from 'lit';
import type { Clock } from '../src/base/clock.ts';
import type { Disposable } from '../src/base/disposable.ts';
import type { WindowState } from '../src/model/webview.ts';
import type { HostConnection } from './host.ts';

/** What every page is: an element that hears its window for as long as it is in the document. */
export abstract class PageElement extends LitElement {
  static override properties: PropertyDeclarations = {
    host: { attribute: false },
    clock: { attribute: false },
    windowState: { state: true },
  };

  declare host: HostConnection;
  declare clock: Clock;
  declare protected windowState: WindowState;
  #listening: readonly Disposable[] = [];

  constructor() {
    super();
    this.windowState = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listening = this.listen();
  }

  override disconnectedCallback(): void {
    for (const one of this.#listening) one.dispose();
    super.disconnectedCallback();
  }

  /** Begins to hear the window; what it gives is disposed of when the element leaves the document. */
  protected abstract listen(): readonly Disposable[];
}
