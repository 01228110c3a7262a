export interface BrowserOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** As `linux-x64`. */
  readonly platform?: string;
  readonly systemBrowsers?: readonly string[];
  /** Where the browser from npm is, once it is installed. */
  readonly directory?: string;
  readonly npm?: string;
}
/** Absolute path of a Chromium, and whether it is there; throws with what to do if there can be none. */
export function findBrowser(options?: BrowserOptions): { readonly path: string; readonly isInstalled: boolean };
/** Absolute path of a Chromium, which is installed first if need be. */
export function installBrowser(options?: BrowserOptions): string;
