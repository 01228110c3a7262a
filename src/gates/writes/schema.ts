import { entrySchema } from '../../model/entry.ts';
import type { WriteGate } from './writeGate.ts';

export const judgeEntrySchema: WriteGate = ({ body, fields }) => {
  const { error } = entrySchema.safeParse(fields);
  const findings = (error?.issues ?? []).map(({ path, message }) => `${path.map(String).join('.')}: ${message}.`);
  if (body.trim() === '') findings.push('The entry says nothing besides its title.');
  return findings.length === 0 ? undefined : { code: 'write/badForm', findings };
};
