import { isRavelError, messageOf } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { CallsRecord } from './adapter.ts';
import type { SpoolProgress } from './spool.ts';

/**
 * The calls of a program's own record of `session`, as it grows and until `progress` says that the session ended. Throws
 * `harness/unrecorded` if there is no record then, or none that can be read.
 */
export async function* readRecord(
  session: string,
  record: CallsRecord,
  progress: SpoolProgress,
): AsyncGenerator<HarnessOutput, void, undefined> {
  for (;;) {
    const changed = progress.changed();
    const { ended } = progress;
    try {
      yield* record.read(ended);
    } catch (cause) {
      if (isRavelError(cause, 'harness/unrecorded')) throw cause;
      const message = `The record of its tool calls cannot be read: ${messageOf(cause)}`;
      throw failure('harness/unrecorded', session, message, { cause });
    }
    if (ended) break;
    await changed;
  }
  if (!record.isThere) throw failure('harness/unrecorded', session, 'Its program left no record of its tool calls.');
}
