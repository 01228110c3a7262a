/** Where the value of a secret is kept: in a variable of the environment, or with a program that prints it. */
export type SecretPlace =
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'command'; readonly program: string; readonly args: readonly string[] };

export interface SecretSource {
  /** As a person calls it, such as `NPM_TOKEN`. */
  readonly name: string;
  readonly place: SecretPlace;
}

/** What became of one secret: whether its value is looked for, or why not. */
export type SecretState =
  | { readonly state: 'guarded' }
  /** No value on this machine, so there is nothing that could leave it. */
  | { readonly state: 'absent' }
  /** Too short to tell from words. */
  | { readonly state: 'short' }
  | { readonly state: 'failed'; readonly problem: string };

/** A secret as a person sees it; its value is not in it. */
export type SecretRow = SecretSource & SecretState;
