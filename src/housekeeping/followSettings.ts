import { basename } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { emitFor, type PlanServices } from '../plans/services.ts';
import { type LiveSettings, type SettingsChange, settingsDiagnostics } from '../vault/liveSettings.ts';

type FollowPorts = Pick<PlanServices, 'clock' | 'emit' | 'onEvent' | 'log' | 'layout'>;

export interface FollowedSettings {
  /** Takes the file's present settings. A file that cannot be read changes nothing. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Reads `daemon.toml` whenever it was changed and whenever a session ended, and tells what waits. */
export function followSettings(services: FollowPorts, live: LiveSettings): FollowedSettings {
  const { layout, log, onEvent } = services;
  let refreshing: Promise<unknown> = Promise.resolve();
  const refresh = async (): Promise<void> => {
    try {
      const change = await live.refresh();
      if (change !== undefined) reportChange(services, change);
    } catch (error) {
      log.warn('daemon.toml could not be read', { error: messageOf(error) });
    }
  };
  const subscription = onEvent((event) => {
    if (event.type === 'session.started') live.sessionStarted(event.session);
    const isOver = event.type === 'session.ended';
    if (isOver) live.sessionEnded(event.session);
    const isEdited = event.type === 'vault.changed' && event.files.includes(basename(layout.settings));
    if (isOver || isEdited) refreshing = refreshing.then(refresh);
  });
  return {
    refresh,
    async stop() {
      subscription.dispose();
      await refreshing;
    },
  };
}

/** The verification of the vault reports bad values. */
function reportChange(services: FollowPorts, { taken, waiting, problem }: SettingsChange): void {
  const { layout, log } = services;
  if (taken.length > 0) log.info('daemon.toml was read again', { settings: taken.join(', ') });
  for (const found of settingsDiagnostics({ waiting, problem }, layout.settings)) {
    log.warn(found.message, { code: found.code });
    if (found.code === 'vault/settingsWait') emitFor(services, 'vault', { type: 'diagnostic', diagnostic: found });
  }
}
