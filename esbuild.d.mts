export function buildCommandLine(options?: {
  readonly entry?: string;
  readonly directory?: string;
  readonly clean?: boolean;
  readonly production?: boolean;
}): Promise<string[]>;
export function buildExtension(options?: {
  readonly directory?: string;
  readonly production?: boolean;
}): Promise<string[]>;
