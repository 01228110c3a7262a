import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { gapSchema, type UnansweredQuestion } from '../model/gap.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** Unanswered questions that are kept; more than these no person reads. */
export const gapsMax = 5000;

/** `runtime/gaps/<query>.json`: what experts were asked and did not know. */
export function gapFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, UnansweredQuestion> {
  return new RecordFolder({
    ...{ disk, folder: layout.gaps, text: jsonLine, schema: gapSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    unreadable: unreadableRecord('knowledge/unreadableGap', 'a gap of knowledge'),
  });
}
