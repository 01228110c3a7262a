import { systemClock } from '../src/base/clock.ts';
import { registerControls } from './elements.ts';
import type { PageElement } from './pageElement.ts';
import { connectEditor } from './vscodeTransport.ts';

/** Shows a page, which is one element, and the elements that it is made of. */
export function startPage(
  Page: new () => PageElement,
  elements: Readonly<Record<string, CustomElementConstructor>>,
): void {
  registerControls();
  for (const [name, element] of Object.entries(elements)) customElements.define(name, element);
  const host = connectEditor();
  const page = Object.assign(new Page(), { host, clock: systemClock });
  // The page is this one element, which is what a screen reader calls its main part.
  page.setAttribute('role', 'main');
  document.body.append(page);
  host.start();
}
