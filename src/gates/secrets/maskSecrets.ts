import { findSecrets } from './findSecrets.ts';

/** The text with words that say what it was in the place of each thing that looks like a secret. */
export function maskSecrets(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, value, service } of findSecrets(text)) {
    if (index < from) continue;
    masked += `${text.slice(from, index)}[${service} left out]`;
    from = index + value.length;
  }
  return from === 0 ? text : masked + text.slice(from);
}
