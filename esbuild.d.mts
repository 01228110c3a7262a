export function buildCommandLine(options?: {
  readonly entry?: string;
  readonly directory?: string;
  readonly clean?: boolean;
}): Promise<string[]>;
export function buildExtension(options?: { readonly directory?: string }): Promise<string[]>;
