import type { QualifiedId } from '../model/id.ts';
import { inert } from './inertText.ts';

/** Characters that end a wikilink, or mean something inside it or its label. */
const special = /[[\]|#^\n\r<`$%\\&]|::|==|\*\*|~~/;

/** A link in Obsidian's form; if target or label cannot stand in one, the label alone, without any effect. */
export function wikilink(target: string, label: string): string {
  return special.test(target) || special.test(label) ? inert(label) : `[[${target}|${label}]]`;
}

/** A link to a block of the same note; the label alone, without any effect, if it or the id cannot stand in one. */
export function blockLink(id: string, label: string): string {
  return isBlockId(id) && !special.test(label) ? `[[#^${id}|${label}]]` : inert(label);
}

/** Obsidian allows ASCII letters, digits and hyphens in a block's name. */
export function isBlockId(id: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(id);
}

/** A link to a plan's own note, from anywhere in the vault. */
export function planLink(plan: QualifiedId): string {
  return wikilink(`projects/${plan}/plan-state`, plan);
}
