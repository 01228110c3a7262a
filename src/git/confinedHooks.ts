/** A file in the folder of the hooks; git runs those whose name is that of a hook. */
export interface Hook {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly isProgram: boolean;
}

/** Hooks that a commit would start, and the repository that they are of; absolute paths. */
export interface HooksPlace {
  readonly root: string;
  readonly gitDirectory: string;
  /** Of a working tree that was added: the git directory of the first one; otherwise the same. */
  readonly commonDirectory: string;
  readonly hooks: readonly Hook[];
  /** The files of its settings. */
  readonly settings: readonly string[];
}

/** Programs that run hooks in a sandbox, each by the name of its hook. */
export interface ConfinedHooks {
  readonly folder: string;
  /** Once the commit was made, or not. */
  end(): Promise<void>;
}

/** Undefined if hooks are to run as git starts them. Throws `sandbox/unavailable` if they may not. */
export type ConfineHooks = (place: HooksPlace) => Promise<ConfinedHooks | undefined>;
