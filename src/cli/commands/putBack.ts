import { posix } from 'node:path';
import { withApi } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { exitCodes, failure } from '../../model/codes.ts';
import type { CommandContext } from '../context.ts';
import { formatPutBack } from '../render/putBack.ts';
import { chosenSession } from './given.ts';

export interface PutBackFlags {
  /** `true` without paths. */
  readonly putBack?: readonly string[] | true;
  readonly undoPutBack?: readonly string[] | true;
  readonly all?: true;
}

/** Whether one of the flags that change files was given. */
export function changesFiles({ putBack, undoPutBack, all }: PutBackFlags): boolean {
  return putBack !== undefined || undoPutBack !== undefined || all === true;
}

/** Puts files of the project back as they were before a session, or as the session had left them. */
export async function putBackFiles(
  context: CommandContext,
  named: string | undefined,
  { putBack, undoPutBack, all }: PutBackFlags,
): Promise<number> {
  const asked = putBack ?? undoPutBack;
  if (asked === undefined || (putBack !== undefined && undoPutBack !== undefined)) {
    throw failure('cli/usage', '--put-back', 'Give either --put-back or --undo-put-back.');
  }
  const flag = putBack === undefined ? '--undo-put-back' : '--put-back';
  if ((asked === true) !== (all === true)) {
    throw failure('cli/usage', flag, `${flag} takes paths of files, or --all.`);
  }
  const paths = asked === true ? undefined : asked.map((path) => posix.normalize(path));
  return withApi(context.ports, context.globals.vault, 'owner', async ({ api }) => {
    const chosen = await chosenSession(api, named);
    const to = putBack === undefined ? 'after' : 'before';
    const done = await api.request('put_back', { ...chosen, ...defined({ paths }), to });
    context.result(done, formatPutBack(done, to, context.style));
    return done.refused.length + done.more === 0 ? 0 : exitCodes.refused;
  });
}
