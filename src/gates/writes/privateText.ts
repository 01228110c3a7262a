import type { WriteGate } from './writeGate.ts';

const mark = /<\/?\s{0,5}private(?![\w-])/iu;

/** What a person marked as private stays where it is. */
export const judgePrivateText: WriteGate = ({ title, body, fields }) => {
  const texts = Object.entries({ title, text: body, frontmatter: JSON.stringify(fields) ?? '' });
  const findings = texts
    .filter(([, text]) => mark.test(text))
    .map(([name]) => `The ${name} holds a mark <private>; what it marks is kept out of knowledge.`);
  return findings.length === 0 ? undefined : { code: 'write/private', findings };
};
