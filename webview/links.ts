/** The attribute that holds where a link of a text leads. The link has no `href`, so that only our code follows it. */
const linkAttribute = 'data-link';

/** Makes the links of a fragment lead to `followLinks` alone, and shows where. */
export function sanitizeLinks(fragment: DocumentFragment): void {
  for (const anchor of fragment.querySelectorAll('a')) {
    const url = anchor.getAttribute('href');
    anchor.removeAttribute('href');
    // Where it led is nowhere to go, so it does not look like a link either.
    if (url === null) {
      anchor.replaceWith(...anchor.childNodes);
      continue;
    }
    anchor.setAttribute(linkAttribute, url);
    anchor.setAttribute('role', 'link');
    anchor.setAttribute('tabindex', '0');
    anchor.setAttribute('title', url);
  }
}

/** Hands on what a person clicks, or opens with the Enter key. */
export function followLinks(root: Document, follow: (url: string) => void): void {
  const onEvent = (event: Event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLElement && node.hasAttribute(linkAttribute));
    if (!(link instanceof HTMLElement)) return;
    event.preventDefault();
    follow(link.getAttribute(linkAttribute) ?? '');
  };
  root.addEventListener('click', onEvent);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') onEvent(event);
  });
}
