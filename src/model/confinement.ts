/** Whether a sandbox holds around what a session runs. */
export type Confinement = { readonly state: 'confined' } | Unconfined;

export interface Unconfined {
  readonly state: 'unconfined';
  /** A whole sentence. */
  readonly reason: string;
  /** How to fix it: a command in backquotes, or a sentence. */
  readonly fix?: string | undefined;
}

/** In words, for a person who looks at a session. */
export function describeConfinement(confinement: Confinement): string {
  return `${confinement.state}: ${meaningOf(confinement)}`;
}

/** The same without the word itself. */
export function meaningOf(confinement: Confinement): string {
  if (confinement.state === 'confined') return 'its commands stay in the project';
  return `its commands have your rights. ${whyUnconfined(confinement)}`;
}

/** What the state means for the commands of a session, the reason for it, and how to fix it. */
export function explainConfinement(confinement: Confinement): string {
  if (confinement.state === 'confined') return 'They run in a sandbox, which was tried before the session began.';
  return `They run without a sandbox, with your rights. ${whyUnconfined(confinement)}`;
}

function whyUnconfined({ reason, fix }: Unconfined): string {
  return fix === undefined ? reason : `${reason} To fix it: ${fix}`;
}
