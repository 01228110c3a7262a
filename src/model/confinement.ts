/** Whether a sandbox holds around what a session runs. */
export type Confinement = { readonly state: 'confined' } | Unconfined;

export interface Unconfined {
  readonly state: 'unconfined';
  /** A whole sentence. */
  readonly reason: string;
  /** What mends it: a command in backquotes, or a sentence. */
  readonly fix?: string | undefined;
}

/** In words, for a person who looks at a session. */
export function describeConfinement(confinement: Confinement): string {
  return confinement.state === 'confined' ? 'confined' : `unconfined: ${explainConfinement(confinement)}`;
}

/** What the state means, or why it is so and what mends it. */
export function explainConfinement(confinement: Confinement): string {
  if (confinement.state === 'confined') return 'They run in a sandbox, which was tried before the session began.';
  const { reason, fix } = confinement;
  return fix === undefined ? reason : `${reason} To mend it: ${fix}`;
}
