/** What this window knows of vaults; absolute paths. */
export interface VaultCandidates {
  /** The last word of the person in this workspace: a vault, or `null` for none. */
  readonly chosen?: string | null;
  /** What the setting `ravel.vault` names. */
  readonly setting?: string;
  /** Folders of the workspace that are vaults themselves. */
  readonly folders: readonly string[];
  /** Vaults of this person that have adopted what is open here. */
  readonly ofProjects: readonly string[];
}

export type VaultChoice =
  | { readonly kind: 'open'; readonly vault: string }
  /** Only a person can say which. */
  | { readonly kind: 'ask'; readonly vaults: readonly string[] }
  | { readonly kind: 'none' };

/** Which vault a window shows. One at a time: what a person said goes before what lies there. */
export function chooseVault({ chosen, setting, folders, ofProjects }: VaultCandidates): VaultChoice {
  if (chosen === null) return { kind: 'none' };
  const named = chosen ?? setting;
  if (named !== undefined) return { kind: 'open', vault: named };
  const [first, ...others] = folders.length > 0 ? folders : ofProjects;
  if (first === undefined) return { kind: 'none' };
  return others.length === 0 ? { kind: 'open', vault: first } : { kind: 'ask', vaults: [first, ...others] };
}

/** The path that a setting means: `~` is the home, and what is relative starts from the first folder. */
export function vaultPath(
  setting: string,
  { home, folder }: { readonly home: string | undefined; readonly folder: string | undefined },
): string | undefined {
  const text = setting.trim();
  if (text === '') return undefined;
  if (text === '~' || text.startsWith('~/')) return home === undefined ? undefined : `${home}${text.slice(1)}`;
  if (text.startsWith('/') || /^[A-Za-z]:[\\/]|^\\\\/.test(text)) return text;
  return folder === undefined ? undefined : `${folder}/${text.replace(/^\.\//, '')}`;
}

/** Vaults that are remembered. */
const recentMax = 10;

/** The vaults that were open lately, this one first. */
export function withRecent(recent: readonly string[], vault: string): string[] {
  return [vault, ...recent.filter((other) => other !== vault)].slice(0, recentMax);
}
