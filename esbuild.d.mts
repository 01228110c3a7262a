export function buildCommandLine(options?: {
  readonly entry?: string;
  readonly directory?: string;
  readonly clean?: boolean;
  readonly production?: boolean;
  readonly inputs?: Set<string>;
}): Promise<string[]>;
export function buildExtension(options?: {
  readonly directory?: string;
  readonly production?: boolean;
  readonly inputs?: Set<string>;
  readonly controls?: 'elements' | 'toolkit';
}): Promise<string[]>;
