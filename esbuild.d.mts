export function buildCommandLine(options?: {
  readonly entry?: string;
  readonly directory?: string;
  readonly clean?: boolean;
}): Promise<string[]>;
