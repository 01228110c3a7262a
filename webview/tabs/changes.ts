import { html } from 'lit';
import { TabElement } from './tabElement.ts';

/** The tab "Changes". */
export class RavelChanges extends TabElement {
  protected override render() {
    return html`<p>${this.status.plan}</p>`;
  }
}
