import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { nodeDisk } from '../../base/nodeDisk.ts';
import { complete } from './complete.ts';

/** A disk that takes longer than this, such as one that a network lost, has no names: a shell waits for this process. */
const waitMs = 1500;

/**
 * What `ravel complete SHELL …` prints. It says nothing else, whatever happens, and its exit code is 0: a shell would
 * show it in the middle of the line that a person types.
 */
export async function printCompletions(given: readonly string[], entryFile: string): Promise<void> {
  process.stdout.on('error', () => process.exit(0));
  const timer = systemClock.schedule(waitMs, () => process.exit(0));
  try {
    const text = (await nodeDisk.readFile(join(entryFile, '..', 'commands.json'))).toString('utf8');
    const { env: environment } = process;
    const packageRoot = join(entryFile, '..', '..');
    const place = { environment, workingDirectory: process.cwd(), packageRoot };
    process.stdout.write(await complete({ disk: nodeDisk, ...place, table: JSON.parse(text) }, given));
  } catch {
    // As promised: a missing table or a working folder that is gone leaves nothing to say.
  } finally {
    timer.dispose();
  }
}
