import type { WriteGate } from './writeGate.ts';

const mark = /<\s{0,5}\/?\s{0,5}private(?![\w-])/iu;

/** What a person marked as private stays where it is. */
export const judgePrivateText: WriteGate = ({ title, body, fields }) => {
  const texts = Object.entries({ title, text: body, frontmatter: textsIn(fields).join('\n') });
  const findings = texts
    .filter(([, text]) => mark.test(asSeen(text)))
    .map(([name]) => `The ${name} holds a mark <private>; what it marks is kept out of knowledge.`);
  return findings.length === 0 ? undefined : { code: 'write/private', findings };
};

/** Characters that cannot be seen hide no mark, nor do letters of another width. */
function asSeen(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** All texts of a value, keys included, as they are and not as JSON writes them. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) pending.push(...Object.entries(next).flat());
  }
  return texts;
}
