import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { diagnostic } from '../model/codes.ts';
import { type SettingOverrides, type SettingPath, settingAt, settingPaths, settingRows } from '../model/settingRows.ts';
import { defaultSettings, type Settings } from '../model/settings.ts';
import type { VaultLayout } from './layout.ts';
import { type LoadedSettings, overrideSettings, parseSettings, withValue } from './settings.ts';

/** A setting that stands in the file and does not hold yet, and why: until a new owner, or since a session ran meanwhile. */
export interface WaitingSetting {
  readonly path: SettingPath;
  /** As the file has it; absent if it sets nothing and there is no default. */
  readonly value?: unknown;
  readonly because: 'owner' | 'session';
}

/** The problems of a settings file that is not in force as it is written. */
export function settingsDiagnostics({ waiting, problem }: SettingsState, file: string): Diagnostic[] {
  const wait = (because: WaitingSetting['because'], why: string): Diagnostic[] => {
    const named = waiting.filter((one) => one.because === because).map(({ path }) => path);
    if (named.length === 0) return [];
    const message = `daemon.toml changes ${named.join(', ')}, which takes effect once the owner of the vault starts again${why}.`;
    return [diagnostic('vault/settingsWait', file, message, { severity: 'warning', file })];
  };
  const stays = 'Until then the last values that could be read stay in force.';
  return [
    ...(problem === undefined ? [] : [{ ...problem, help: `${problem.help} ${stays}` }]),
    ...wait('owner', ''),
    ...wait('session', ': a session ran while it was edited, and a session must not widen its own rights'),
  ];
}

/** What became of the file since the last read. */
export interface SettingsChange extends SettingsState {
  /** Those that hold now and did not before. */
  readonly taken: readonly SettingPath[];
}

export interface SettingsState {
  readonly waiting: readonly WaitingSetting[];
  /** Why the file cannot be read; the last values that could be stay in force. */
  readonly problem?: Diagnostic | undefined;
}

export interface LiveSettingsParts {
  readonly disk: ReadingDisk;
  readonly layout: Pick<VaultLayout, 'settings'>;
  readonly overrides: SettingOverrides;
  readonly loaded: LoadedSettings;
}

/**
 * The settings of a vault as they hold now, also after its `daemon.toml` was edited. What can hold at once does; what only
 * a new owner can take waits for one, and so does what guards sessions if one ran while it was edited, since a session
 * without a sandbox could have written it.
 */
export class LiveSettings {
  /** Each setting is read again: a part that keeps this, or a table of it, goes by what holds. */
  readonly settings: Settings;
  readonly #parts: LiveSettingsParts;
  readonly #reads = new SerialQueue();
  readonly #sessions = new Set<string>();
  #held: Settings;
  #loaded: LoadedSettings;
  /** Undefined before the first read. */
  #seen: { readonly text: string | undefined } | undefined;
  #waiting: readonly WaitingSetting[] = [];
  #problem: Diagnostic | undefined;
  /** A session ran since the file was last seen as it was. */
  #hadSession = false;

  constructor(parts: LiveSettingsParts) {
    this.#parts = parts;
    this.#loaded = parts.loaded;
    this.#held = overrideSettings(parts.loaded.settings, parts.overrides).settings;
    this.settings = liveView(() => this.#held);
  }

  /** What stands in the file as far as it could be read, whether it holds or not. */
  get loaded(): LoadedSettings {
    return this.#loaded;
  }

  get waiting(): readonly WaitingSetting[] {
    return this.#waiting;
  }

  get problem(): Diagnostic | undefined {
    return this.#problem;
  }

  sessionStarted(session: string): void {
    this.#sessions.add(session);
    this.#hadSession = true;
  }

  sessionEnded(session: string): void {
    this.#sessions.delete(session);
  }

  /** Looks at the file. Undefined if it is as it was; rejects as the disk does. */
  refresh(): Promise<SettingsChange | undefined> {
    return this.#reads.run(() => this.#read());
  }

  async #read(): Promise<SettingsChange | undefined> {
    const { disk, layout, overrides } = this.#parts;
    // Taken before the read: a session may write behind it, and be over at the next read.
    const hadSession = this.#hadSession;
    this.#hadSession = this.#sessions.size > 0;
    const text = await readTextIfExists(disk, layout.settings);
    const mayBeOfSession = hadSession || this.#hadSession;
    const isSame = this.#seen !== undefined && this.#seen.text === text;
    const before = this.#seen;
    this.#seen = { text };
    if (isSame) return undefined;
    try {
      this.#loaded = text === undefined ? nothingSet : parseSettings(text, layout.settings);
      this.#problem = undefined;
    } catch (error) {
      if (!isRavelError(error, 'vault/badSettings')) throw error;
      this.#problem = error.diagnostic;
      return { taken: [], waiting: this.#waiting, problem: error.diagnostic };
    }
    const change = this.#take(overrideSettings(this.#loaded.settings, overrides).settings, mayBeOfSession);
    return before === undefined && change.taken.length + change.waiting.length === 0 ? undefined : change;
  }

  #take(wanted: Settings, mayBeOfSession: boolean): SettingsChange {
    const before = new Map(this.#waiting.map((one) => [one.path, one]));
    const taken: SettingPath[] = [];
    const waiting: WaitingSetting[] = [];
    let held = this.#held;
    for (const path of settingPaths) {
      const value = settingAt(wanted, path);
      if (isEqual(value, settingAt(held, path))) continue;
      const because = reasonToWait(path, value, { mayBeOfSession, before: before.get(path) });
      if (because !== undefined) {
        waiting.push({ path, because, ...defined({ value }) });
        continue;
      }
      held = withValue(held, path.split('.'), value) as Settings;
      taken.push(path);
    }
    this.#held = held;
    this.#waiting = waiting;
    return { taken, waiting };
  }
}

const nothingSet: LoadedSettings = { settings: defaultSettings, diagnostics: [], given: [] };

function reasonToWait(
  path: SettingPath,
  value: unknown,
  { mayBeOfSession, before }: { readonly mayBeOfSession: boolean; readonly before: WaitingSetting | undefined },
): WaitingSetting['because'] | undefined {
  const { edit } = settingRows[path];
  if (edit === 'newOwner') return 'owner';
  if (edit !== 'guarded') return undefined;
  // Another edit of the file does not make it a person's.
  const stillWaits = before !== undefined && isEqual(before.value, value);
  return mayBeOfSession || stillWaits ? 'session' : undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Settings whose every value is what `now` has when it is asked for. */
function liveView(now: () => Settings): Settings {
  const view: Record<string, unknown> = {};
  for (const path of settingPaths) {
    const segments = path.split('.');
    const key = segments.pop() ?? path;
    let table = view;
    for (const segment of segments) {
      table[segment] ??= {};
      table = table[segment] as Record<string, unknown>;
    }
    Object.defineProperty(table, key, { enumerable: true, get: () => settingAt(now(), path) });
  }
  return view as unknown as Settings;
}
