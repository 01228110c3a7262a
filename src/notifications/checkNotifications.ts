import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import type { Check } from '../model/requests/doctor.ts';
import { userConfigPath } from '../vault/discovery.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { loadNotifierState } from './notifierState.ts';
import { loadNotifySettings } from './notifySettings.ts';

interface CheckPorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How the person is told what needs them, and what went wrong with that; sends nothing. Nothing if they are not told. */
export async function checkNotifications({ disk, layout, environment }: CheckPorts): Promise<Check[]> {
  const about = { check: 'notifications', subject: userConfigPath(environment) ?? 'config.toml' } as const;
  try {
    const settings = await loadNotifySettings(disk, environment);
    if (settings === undefined) return [];
    const { problem } = await loadNotifierState(disk, layout);
    if (problem !== undefined) {
      const message = `The last notification was not sent, at ${problem.at}: ${problem.message}`;
      return [{ ...about, severity: 'warning', message, fix: '`ravel notify test` tries it again' }];
    }
    const [program = ''] = typeof settings.command === 'string' ? [settings.command] : settings.command;
    const ways = [...(program === '' ? [] : [program]), ...(settings.desktop ? ['the desktop'] : [])];
    return [{ ...about, severity: 'ok', message: `You are told what needs you by ${ways.join(' and ')}.` }];
  } catch (error) {
    if (!isRavelError(error, 'notify/badSettings')) throw error;
    const { message, help } = error.diagnostic;
    return [{ ...about, severity: 'warning', message, ...(help === undefined ? {} : { fix: help }) }];
  }
}
