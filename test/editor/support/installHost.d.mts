/** Absolute paths of the programs. */
export const hostParts: { readonly node: string; readonly codeServer: string };
export function installHost(options?: { readonly directory?: string; readonly npm?: string }): void;
/** Absolute path of a Chromium; throws with what to type where there is none. */
export function findBrowser(): string;
