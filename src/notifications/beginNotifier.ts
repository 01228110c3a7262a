import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Spawn } from '../base/processes.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { Notifier, QuestionForPerson } from './notifier.ts';
import { loadNotifySettings } from './notifySettings.ts';

/** What notifications are sent with. */
export interface NotifierWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly spawn?: Spawn | undefined;
  readonly isWatched?: (() => boolean) | undefined;
}

interface BeginParts extends NotifierWorld {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly layout: VaultLayout;
  readonly log: Logger;
  readonly openQuestions: () => Promise<readonly QuestionForPerson[]>;
  readonly withoutSecrets: (text: string) => string;
}

/**
 * Begins to tell the person what needs them, as their own configuration says when the owner starts: an edit holds from the
 * next owner on. Undefined if nothing is to be told; a bad configuration is in the log, and the doctor names it.
 */
export async function beginNotifier(parts: BeginParts): Promise<Notifier | undefined> {
  const { disk, clock, layout, log, environment, spawn, isWatched, openQuestions, withoutSecrets } = parts;
  try {
    const settings = await loadNotifySettings(disk, environment);
    if (settings === undefined) return undefined;
    // Most people have no such table.
    const [{ createDeliver }, notifier] = await Promise.all([import('./deliver.ts'), import('./notifier.ts')]);
    const deliver = createDeliver({ clock, environment, settings, withoutSecrets, ...defined({ spawn }) });
    return await notifier.Notifier.begin(
      { disk, clock, layout, log, settings, deliver, isWatched },
      await openQuestions(),
    );
  } catch (error) {
    if (!isRavelError(error)) throw error;
    log.warn('nothing is told outside of Ravel', { code: error.code, problem: error.message });
    return undefined;
  }
}
