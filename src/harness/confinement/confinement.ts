import type { Confinement, Unconfined } from '../../model/confinement.ts';
import type { Network } from './sandboxLayout.ts';

/** A sandbox that was tried: `shell` is a program that runs its one argument as a shell command inside of it. */
export type ConfinedShell = { readonly state: 'confined'; readonly shell: string } | Unconfined;

/**
 * This machine can confine commands, but files of the project prevent that here. A session could have made those files,
 * so commands must not run unconfined because of them.
 */
export interface Refused {
  readonly state: 'refused';
  /** A whole sentence. */
  readonly reason: string;
  /** How to fix it, as the rest of a sentence. */
  readonly fix: string;
}

/** What the commands of one session, or the hooks of one commit, have to do with; absolute paths, symlinks resolved. */
export interface ConfinedPlace {
  /** Takes the files of the sandbox; commands do not see it. Of a session, or for the hooks of a repository. */
  readonly sessionDirectory: string;
  /** The one folder that commands may change, but for its plans and git's own files. */
  readonly project: string;
  readonly ravelDirectory: string;
  readonly vault: string;
  readonly repository: { readonly root: string; readonly gitDirectory: string; readonly commonDirectory: string };
  /** Whether they may change git's own files as well, as the hooks of a commit have to. */
  readonly writesGit?: true;
  /** Folders of which commands see and change a copy, and where that is. */
  readonly copied?: readonly { readonly path: string; readonly from: string }[];
  /** Files that commands see as empty. */
  readonly secretFiles: readonly string[];
  /** Files and folders of what they may change that commands may read and not change. */
  readonly fixed: readonly string[];
  /** Those of the secret files that git tracks; it shall not take them for changed. */
  readonly trackedSecrets: readonly string[];
  /** Whether all commands have the network; one can have it by itself all the same (`openNetworkOnce`). */
  readonly network: Network;
  /** Where the owner of the vault listens. */
  readonly socketPath: string;
  /** Names or patterns of variables that commands get beside the usual ones. */
  readonly variables: readonly string[];
  /** Folders outside of the project that the agent program wants its commands to read. */
  readonly readable: readonly string[];
}

export interface Confiner {
  /** Whether this machine can confine at all; starts at most one program. */
  probe(signal?: AbortSignal): Promise<Confinement>;
  /** Builds the sandbox of a session and tries it: only one that held in every respect is confined. */
  confine(place: ConfinedPlace, signal: AbortSignal): Promise<ConfinedShell | Refused>;
}
