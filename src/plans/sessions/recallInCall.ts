import { isRavelError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';
import { recalled } from '../../harness/toolAnswers.ts';
import type { CallResult } from '../../model/requests/sessions.ts';
import { recallArgsSchema } from '../../model/sessionTools.ts';
import type { LaterMemory } from './laterMemory.ts';

/** What the memory has about a tool that was used. No call fails for what is amiss here. */
export async function recallInCall(
  later: Pick<LaterMemory, 'recall'>,
  log: Logger,
  args: Readonly<Record<string, unknown>>,
): Promise<CallResult> {
  const { data } = recallArgsSchema.safeParse(args);
  if (data === undefined) return recalled('');
  const input = typeof data.input === 'string' ? parseJson(data.input) : data.input;
  if (!isRecord(input)) return recalled('');
  try {
    return recalled(await later.recall(data.tool_use_id, { tool: data.tool_name, input }, data.cwd));
  } catch (error) {
    if (!isRavelError(error)) throw error;
    log.warn('the memory about a tool call could not be told', { error: error.message });
    return recalled('');
  }
}
