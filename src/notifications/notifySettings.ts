import type { Disk } from '../base/disk.ts';
import { readTextIfExists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { type NotifySettings, notificationKinds, notifySettingsSchema } from '../model/notification.ts';
import { userConfigPath } from '../vault/discovery.ts';
import { parseToml } from '../vault/toml.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What each key of `[notify]` can be, for the error about another value. */
const allowed: Readonly<Record<string, string>> = {
  command: 'a program by its name on PATH or its absolute path, or a list with its arguments',
  desktop: 'true or false',
  kinds: `a list of ${notificationKinds.map((kind) => `"${kind}"`).join(', ')}`,
  'quiet-hours': 'two times of day, such as "22:00-07:00"',
};

/**
 * The table `[notify]` of the person's own configuration; undefined if that has none, or if no program is to tell anything.
 * Throws `notify/badSettings`.
 */
export async function loadNotifySettings(disk: Disk, environment: Environment): Promise<NotifySettings | undefined> {
  const settings = await readNotifySettings(disk, environment);
  if (settings === undefined) return undefined;
  const [program = ''] = typeof settings.command === 'string' ? [settings.command] : settings.command;
  return program === '' && !settings.desktop ? undefined : settings;
}

/** The same, also if no program is to tell anything: the quiet hours hold for windows, too. */
export async function readNotifySettings(disk: Disk, environment: Environment): Promise<NotifySettings | undefined> {
  const file = userConfigPath(environment);
  const text = file === undefined ? undefined : await readTextIfExists(disk, file);
  if (file === undefined || text === undefined) return undefined;
  const { notify } = parseToml(text, { file, subject: file, code: 'notify/badSettings' });
  if (notify === undefined) return undefined;
  const parsed = notifySettingsSchema.safeParse(notify);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path[0] ?? (issue?.code === 'unrecognized_keys' ? issue.keys[0] : 'notify'));
    const expected = allowed[key];
    const problem =
      expected === undefined
        ? `has an unknown key "${key}" in [notify]; the keys are ${Object.keys(allowed).join(', ')}`
        : `has a bad value for "${key}" in [notify]; it can be ${expected}`;
    throw failure('notify/badSettings', file, `${file} ${problem}.`, { file });
  }
  const { command } = parsed.data;
  const [program = ''] = typeof command === 'string' ? [command] : command;
  if (program.includes('/') && !/^~?\//.test(program)) {
    throw failure('notify/badSettings', file, `${file} names "${program}" in [notify]; a path has to be absolute.`, {
      file,
    });
  }
  return parsed.data;
}
