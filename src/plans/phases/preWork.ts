import { join } from 'node:path';
import { ensureDirectory, writeAtomic } from '../../base/files.ts';
import { plural, shellQuoted } from '../../base/text.ts';
import type { ConfinedShell } from '../../harness/confinement/confinement.ts';
import { removeTemporary } from '../../harness/confinement/removeTemporary.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import { confineSession } from '../sessions/confineSession.ts';
import { isExecutable, preWorkFile } from './hooksQuestion.ts';

/** Where a session's folder keeps what the plan's own check said. */
const preWorkOutput = 'pre-work.log';

/**
 * Runs the plan's `pre-work.sh` from the project's root, if there is one that may be executed; a person has allowed
 * it as it is (`checkApprovals`). It runs in the session's sandbox; a phase by hand, whose person runs what they like, has one
 * for this alone. What it says is kept in the session's folder. Throws `plan/preWorkFailed` unless it ends with 0, and
 * what `confineSession` throws.
 */
export async function runPreWork(
  services: PlanServices,
  location: PlanLocation,
  { session, shell }: { readonly session: Ulid; readonly shell: ConfinedShell | undefined },
  stop: AbortSignal,
): Promise<void> {
  // Inside of the sandbox the vault, through which `directory` leads, is not there.
  const program = await services.disk.realPath(location.directory).then((folder) => join(folder, preWorkFile));
  if (!(await isExecutable(services.disk, program))) return;
  const sandbox = shell ?? (await confineSession(services, location, session, stop));
  const minutes = services.settings.limits['pre-work-minutes'];
  const job = {
    ...(sandbox.state === 'confined' ? { program: sandbox.shell, args: [shellQuoted(program)] } : { program }),
    workingDirectory: location.projectDirectory,
    timeoutMs: minutes * 60_000,
  };
  const { end, exitCode, output } = await services.runScript(job, stop);
  const folder = services.layout.session(session);
  if (shell === undefined) await removeTemporary(services.disk, folder);
  await ensureDirectory(services.disk, folder);
  await writeAtomic(services.disk, join(folder, preWorkOutput), output);
  if (end === 'exited' && exitCode === 0) return;
  const why = {
    exited: `ended with code ${exitCode}`,
    timedOut: `was ended: it ran for more than ${plural(minutes, 'minute')}`,
    stopped: 'was stopped by a person',
  }[end];
  const tail = output.trim().slice(-500);
  const stderr = tail === '' ? '' : ` The end of its output: ${tail}`;
  throw failure(
    'plan/preWorkFailed',
    location.id,
    `${preWorkFile} of ${location.id} ${why}, so work did not begin.${stderr}`,
    {
      file: join(folder, preWorkOutput),
    },
  );
}
