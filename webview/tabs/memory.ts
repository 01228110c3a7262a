import { html } from 'lit';
import { TabElement } from './tabElement.ts';

/** The tab "Memory". */
export class RavelMemory extends TabElement {
  protected override render() {
    return html`<p>${this.status.plan}</p>`;
  }
}
