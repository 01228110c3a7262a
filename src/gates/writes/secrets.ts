import { secretFindings } from '../secrets/secretFindings.ts';
import type { WriteGate } from './writeGate.ts';

/** What is known to many sessions is read by many: no secret belongs there, and none is repeated in the refusal. */
export const judgeEntrySecrets: WriteGate = ({ title, body, fields }, { allowedSecrets, storedSecrets: stored }) => {
  const texts = [
    { name: 'title', text: title },
    { name: 'text', text: body },
    { name: 'frontmatter', text: JSON.stringify(fields, undefined, 1) },
  ];
  const findings = secretFindings(texts, { before: new Set(), allowed: new Set(allowedSecrets), stored });
  return findings.length === 0 ? undefined : { code: 'write/secret', findings };
};
