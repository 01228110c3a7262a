/** What a setting means, and where else than in `daemon.toml` it may be set. */
export interface SettingRow {
  readonly meaning: string;
  /** Key in the frontmatter of `plan-state.md`, for one plan. */
  readonly inPlan?: string;
  /** Flag of `ravel run` and `ravel retry`, for one run. */
  readonly flag?: string;
  /**
   * When an edit of `daemon.toml` holds; at once if this is absent. `newOwner`: parts of an owner are built with it.
   * `guarded`: it decides what sessions can do and what is started for them, so it waits for a new owner if a session ran
   * meanwhile, which could have written it.
   */
  readonly edit?: 'newOwner' | 'guarded';
}
