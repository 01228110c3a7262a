export function cacheFolder(name: string): string;
export function installFolder(directory: string, make: (making: string) => void): void;
export function removeLeftovers(parent: string, prefix: string): void;
export function runNpm(
  npm: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly path?: string },
): void;
