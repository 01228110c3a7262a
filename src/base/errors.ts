export type Severity = 'error' | 'warning' | 'info';

/** Zero-based line and character (UTF-16 units), as editors count. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/**
 * The one shape in which anything wrong is told, on every surface. `subject` is the qualified id the trouble is about,
 * or a file if there is no id. `help` says what to do.
 */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly subject: string;
  readonly help?: string;
  readonly file?: string;
  readonly range?: Range;
}

/** A failed operation: exactly one diagnostic, and the error that caused it. */
export class RavelError extends Error {
  override readonly name = 'RavelError';
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic, options?: { readonly cause?: unknown }) {
    super(diagnostic.message, options);
    this.diagnostic = diagnostic;
  }

  get code(): string {
    return this.diagnostic.code;
  }
}

/** By its shape and not its class: the extension and the core are bundles of their own, and each has the class. */
export function isRavelError(error: unknown, code?: string): error is RavelError {
  const isOne = error instanceof Error && error.name === 'RavelError' && 'diagnostic' in error;
  return isOne && (code === undefined || ('code' in error && error.code === code));
}

/** The `code` of a system error such as ENOENT, or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
