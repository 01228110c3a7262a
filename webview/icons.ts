import { html, type TemplateResult } from 'lit';

/** Icons of the editor's own font, by their names there; a test compares the characters with those of the font. */
export const icons = {
  add: '\uea60',
  'arrow-down': '\uea9a',
  'arrow-up': '\ueaa1',
  book: '\ueaa4',
  check: '\ueab2',
  'chevron-down': '\ueab4',
  'chevron-right': '\ueab6',
  'circle-filled': '\uea71',
  'circle-large-outline': '\uebb5',
  close: '\uea76',
  comment: '\uea6b',
  copy: '\uebcc',
  'debug-pause': '\uead1',
  'debug-restart': '\uead2',
  'debug-step-over': '\uead6',
  'debug-stop': '\uead7',
  diff: '\ueae1',
  discard: '\ueae2',
  edit: '\uea73',
  error: '\uea87',
  'git-commit': '\ueafc',
  'git-merge': '\ueafe',
  'go-to-file': '\uea94',
  loading: '\ueb19',
  markdown: '\ueb1d',
  play: '\ueb2c',
  question: '\ueb32',
  'run-all': '\ueb9e',
  send: '\uec0f',
  shield: '\ueb53',
  sparkle: '\uec10',
  sync: '\uea77',
  terminal: '\uea85',
  warning: '\uea6c',
} as const;
export type IconName = keyof typeof icons;

/** A picture beside words that say the same: nothing for a screen reader. */
export function icon(name: IconName, spins = false): TemplateResult {
  return html`<span class=${spins ? 'icon spins' : 'icon'} aria-hidden="true">${icons[name]}</span>`;
}
