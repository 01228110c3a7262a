/**
 * Where the value of a secret is kept: in a variable of the environment, with a program that prints it, in a file that
 * `age` encrypted (absolute paths), in the keychain of the system, or in the secret storage of the editor.
 */
export type SecretPlace =
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'command'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'age'; readonly file: string; readonly identity: string }
  | { readonly kind: 'keychain' }
  | { readonly kind: 'editor' };

/** The stores that `ravel secrets set` writes to. */
export const writtenStores = ['keychain', 'age'] as const;
export type WrittenStore = (typeof writtenStores)[number];

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
  /** In the editor's storage, which only its windows can read. */
  | { readonly state: 'unseen' }
  /** Too short to tell from words. */
  | { readonly state: 'short' }
  | { readonly state: 'failed'; readonly problem: string };

/** `keptFor` has the other secrets whose value is in the same file: it stays for them. */
export interface RemovedSecret extends SecretSource {
  readonly keptFor?: readonly string[];
}

/** A secret as a person sees it; its value is not in it. */
export type SecretRow = SecretSource &
  SecretState & {
    /** What the person should know although it can be read. */
    readonly note?: string;
    /** The secrets before it that have the same value. */
    readonly sameAs?: readonly string[];
  };

/** The longest value, in bytes. */
export const secretValueBytesMax = 64 * 1024;

/** A letter, then letters, digits, `_`, `.` and `-`; at most 64 in all. */
export function isSecretName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name);
}

/** The place in words, without the value. */
export function placeText(place: SecretPlace): string {
  switch (place.kind) {
    case 'environment':
      return `variable ${place.variable}`;
    case 'command':
      return `program ${place.program}`;
    case 'age':
      return `age file ${place.file}`;
    case 'keychain':
      return 'keychain of the system';
    case 'editor':
      return 'secret storage of the editor';
  }
}
