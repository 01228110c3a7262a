import { visible } from '../../base/fence.ts';
import { keepLinks } from './link.ts';
import { plainStyle, type Style } from './style.ts';

/** What the emphases of `style.ts` are made of. */
const esc = '\u001b';
const emphasis = new RegExp(`(${esc}\\[(?:[12]|22|3[1236]|39)m)`);

/**
 * Lines as a terminal is sent them, the last step of everything that the command line says: our own emphases and links stay
 * if the style has any, and whatever else a terminal would act on or not show is spelled out, wherever it came from.
 */
export function terminalText(text: string, style: Style): string {
  if (style === plainStyle) return visible(text);
  return keepLinks(text, (piece) =>
    piece
      .split(emphasis)
      .map((part, at) => (at % 2 === 1 ? part : visible(part)))
      .join(''),
  );
}
