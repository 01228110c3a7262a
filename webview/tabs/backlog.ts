import { html } from 'lit';
import { TabElement } from './tabElement.ts';

/** The tab "Backlog". */
export class RavelBacklog extends TabElement {
  protected override render() {
    return html`<p>${this.status.plan}</p>`;
  }
}
