import { createHash } from 'node:crypto';
import type { IndexedDocument } from './document.ts';

/** 64 bits of a hash over all that a document says and is labelled with. */
export function digestOf(document: IndexedDocument): { readonly low: number; readonly high: number } {
  const { scope, plan, kind, status, tags, title, aliases, headings, firstParagraph, body, superseded } = document;
  const content = JSON.stringify([
    scope,
    plan,
    kind,
    status,
    tags,
    title,
    aliases,
    headings,
    firstParagraph,
    body,
    superseded,
  ]);
  const hash = createHash('sha256').update(content).digest();
  return { low: hash.readUInt32LE(0), high: hash.readUInt32LE(4) };
}
