import { jsonLine, RecordFolder } from '../../base/recordFolder.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import { type Ingestion, ingestionSchema } from '../../model/ingestion.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';

/** `runtime/ingestion-events/<ulid>.json`: what each cycle taught, and what became of it. */
export function ingestionFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, Ingestion> {
  return new RecordFolder({
    ...{ disk, folder: layout.ingestions, text: jsonLine, schema: ingestionSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    unreadable: unreadableRecord('knowledge/unreadableIngestion', 'the record of an ingestion'),
  });
}
