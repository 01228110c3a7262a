import { type PreparedRecipients as PreparedDirectory, prepareRecipients } from '../facts/preparedRecipients.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import type { KnownRecipients, RecipientDirectory } from '../recipientDirectory.ts';
import type { BackTestInputs } from './suggestions.ts';

export interface BackTestParts {
  /** The earlier decisions; the caller waits until they are read. */
  readonly index: () => Promise<HistoryIndex>;
  readonly recipients: RecipientDirectory;
}

/** What rules and suggestions are held against, as it is at each moment; recipients are prepared once until they change. */
export function createBackTestInputs({ index: recent, recipients }: BackTestParts): () => Promise<BackTestInputs> {
  let prepared:
    | { readonly of: KnownRecipients; readonly prepared: PreparedDirectory; readonly targets: Set<string> }
    | undefined;
  return async () => {
    const [of, index] = await Promise.all([recipients.known(), recent()]);
    if (prepared?.of !== of) {
      const targets = new Set([...of.byId.keys(), ...of.projects.keys()]);
      prepared = { of, prepared: prepareRecipients(of.recipients), targets };
    }
    return { index, recipients: of.recipients, prepared: prepared.prepared, targets: prepared.targets };
  };
}
