import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { isRavelError } from '../base/errors.ts';
import { createGit, gitText } from '../git/git.ts';
import { createAdapters } from '../harness/adapters.ts';
import { createScriptRunner } from '../harness/scripts.ts';
import type { SettingOverrides } from '../model/settingRows.ts';
import { defaultSettings } from '../model/settings.ts';
import type { StartNeeds } from '../model/startNeeds.ts';
import { versionIn } from '../model/version.ts';
import { VaultLayout } from '../vault/layout.ts';
import { overrideSettings } from '../vault/settings.ts';
import { inspectHarnesses } from './harnessChecks.ts';

interface NeedsPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the person has set, such as which program Claude Code is. */
  readonly overrides: SettingOverrides;
  /** Where the programs are asked for their versions: a folder that no vault and no project is in. */
  readonly folder: string;
}

/** Whether this machine has what Ravel needs, before there is any vault. Both programs are asked; no session starts. */
export async function findStartNeeds(ports: NeedsPorts, signal: AbortSignal): Promise<StartNeeds> {
  const { disk, clock, environment, folder } = ports;
  const { settings } = overrideSettings(defaultSettings, ports.overrides);
  const adapters = createAdapters({ disk, entry: { program: '', args: [], environment: {} } });
  const runScript = createScriptRunner({ clock, environment, settings });
  const world = { adapters, settings, environment, runScript, layout: new VaultLayout(folder), isOwner: true };
  const [git, [claude]] = await Promise.all([gitVersion(ports), inspectHarnesses(world, 'claude-code', signal)]);
  const { state = 'missing', version, message = '' } = claude ?? {};
  return { ...defined({ git }), claude: { state, message, ...defined({ version }) } };
}

async function gitVersion({ disk, clock, environment, folder }: NeedsPorts): Promise<string | undefined> {
  try {
    return versionIn(await gitText(createGit({ environment, clock, disk }), folder, ['--version'])) ?? '';
  } catch (error) {
    if (isRavelError(error, 'git/missing')) return undefined;
    throw error;
  }
}
