import type { Clock } from '../../base/clock.ts';
import { jsonLine, RecordFolder } from '../../base/recordFolder.ts';
import { dayMs } from '../../base/units.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import { type Ingestion, ingestionSchema, isCandidateSettled } from '../../model/ingestion.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';

/**
 * Removes the records of cycles that are older than this number of days and have nothing open. What a plan taught then is
 * in entries; its memory is not looked at again, since it rests on older sessions. Returns how many were removed.
 */
export async function removeOldIngestions(
  ports: VaultPorts & { readonly clock: Pick<Clock, 'wallMs'> },
  days: number,
): Promise<number> {
  const folder = ingestionFolder(ports);
  const oldest = ports.clock.wallMs() - days * dayMs;
  const { records } = await folder.loadAll();
  const old = records.filter(
    ({ at, candidates }) => Date.parse(at) < oldest && candidates.every(({ state }) => isCandidateSettled(state)),
  );
  for (const { id } of old) await folder.remove(id);
  return old.length;
}

/** `runtime/ingestion-events/<ulid>.json`: what each cycle taught, and what became of it. */
export function ingestionFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Ingestion> {
  return new RecordFolder({
    ...{ disk, folder: layout.ingestions, text: jsonLine, schema: ingestionSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    unreadable: unreadableRecord('knowledge/unreadableIngestion', 'the record of an ingestion'),
  });
}
