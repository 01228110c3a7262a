/** For the environment of an editor: a gallery that has nothing, so that none is looked for. */
export const emptyGallery: { readonly EXTENSIONS_GALLERY: string };
export function startHostProcess(options: {
  readonly userData: string;
  readonly extensions: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<{
  /** As `http://127.0.0.1:PORT`. */
  readonly address: string;
  readonly pid: number;
  /** What the server printed. */
  readonly output: () => string;
  /** Ends the server and all it started. */
  stop(): Promise<void>;
}>;
