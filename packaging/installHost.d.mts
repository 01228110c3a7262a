/** Absolute paths of the programs, and of the folder of the extensions that the editor brings. */
export const hostParts: { readonly node: string; readonly codeServer: string; readonly extensions: string };
export function installHost(options?: { readonly directory?: string; readonly npm?: string }): void;
