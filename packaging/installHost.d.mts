/** Absolute paths of the programs. */
export const hostParts: { readonly node: string; readonly codeServer: string };
export function installHost(options?: { readonly directory?: string; readonly npm?: string }): void;
