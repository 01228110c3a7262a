import { html } from 'lit';
import { TabElement } from './tabElement.ts';

/** The tab "Given". */
export class RavelGiven extends TabElement {
  protected override render() {
    return html`<p>${this.status.plan}</p>`;
  }
}
