import { html } from 'lit';
import { TabElement } from './tabElement.ts';

/** The tab "History". */
export class RavelHistory extends TabElement {
  protected override render() {
    return html`<p>${this.status.plan}</p>`;
  }
}
