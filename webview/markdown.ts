import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { sanitizeLinks } from './links.ts';
import { isSimpleMarkdown } from './simpleMarkdown.ts';

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // Tags in a text are shown as they were written.
    html: ({ text }) => escapeHtml(text),
    // A picture would be fetched; its address is said instead.
    image: ({ href, text }) => escapeHtml(`[${text || 'picture'}: ${href}]`),
  },
});

/**
 * Untrusted Markdown, as a fragment that runs nothing, loads nothing and leads nowhere by itself. A text that would hold
 * up the page is shown as it was written.
 */
export function renderMarkdown(text: string): DocumentFragment {
  if (!isSimpleMarkdown(text)) return plainFragment(text);
  const fragment = DOMPurify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: [
      ...['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p'],
      ...['pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
    ],
    ALLOWED_ATTR: ['href', 'start', 'align'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^https?:/i,
    RETURN_DOM_FRAGMENT: true,
  });
  sanitizeLinks(fragment);
  return fragment;
}

function plainFragment(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const element = document.createElement('pre');
  element.textContent = text;
  fragment.append(element);
  return fragment;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
