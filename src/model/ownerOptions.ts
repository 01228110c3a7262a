import type { SettingOverrides } from './settingRows.ts';

/** What a program that opens a vault can choose for the owner it becomes. */
export interface OwnerOptions {
  /** These override the settings of the vault, and those of a plan override them. */
  readonly overrides?: SettingOverrides | undefined;
  /** How long a stop waits for what is being applied or committed; without it four seconds. */
  readonly drainMs?: number | undefined;
  /** An owner watches and catalogues the vault in the background, and begins once this has settled; at once without it. */
  readonly backgroundAfter?: Promise<unknown> | undefined;
  /**
   * The caller verifies the vault, with the request `verify`. Without it, an owner does so once, after its start, and
   * tells what it finds as events.
   */
  readonly verifiesItself?: boolean | undefined;
  /** Whether a person has a window before them that shows what needs them; they are not told in another way then. */
  readonly isWatched?: (() => boolean) | undefined;
}

/** These options alone, out of all that a caller gave. */
export function ownerOptions(given: OwnerOptions): OwnerOptions {
  const { overrides, drainMs, backgroundAfter, verifiesItself, isWatched } = given;
  return { overrides, drainMs, backgroundAfter, verifiesItself, isWatched };
}
