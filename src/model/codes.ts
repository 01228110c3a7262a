import { type Diagnostic, type Range, RavelError, type Severity } from '../base/errors.ts';

/**
 * What a failure means to a script: the exit code of the command line (design 4, "stable exit codes").
 * `internal` 1 · `invalid` 2 · `notFound` 3 · `refused` 4 (a gate said no) · `conflict` 5.
 */
export type Kind = 'internal' | 'invalid' | 'notFound' | 'refused' | 'conflict';

export const exitCodes: Readonly<Record<Kind, number>> = {
  internal: 1,
  invalid: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
};

interface CodeRow {
  readonly kind: Kind;
  /** Whether doing the same again can succeed without anything else changing hands. */
  readonly retryable: boolean;
  /** What to do; shown wherever the diagnostic is shown. */
  readonly help: string;
}

function row(kind: Kind, retryable: boolean, help: string): CodeRow {
  return { kind, retryable, help };
}

/** Every error code there is. A code is `room/reason`; the help is a whole sentence. */
export const codes = {
  'base/internal': row('internal', false, 'This is a defect in Ravel; please report it with the log.'),
  'disk/full': row('internal', true, 'Free some space and run the command again; nothing was half written.'),
  'disk/denied': row('internal', true, 'Check the permissions of the file and its folder.'),
  'disk/failed': row('internal', true, 'The operating system refused the operation; see the cause.'),
  'disk/tooLarge': row('invalid', false, 'Split the file, or move old records to an archive file.'),
  'journal/corrupt': row('internal', false, 'Keep the file, repair the named line by hand, then start again.'),
} as const satisfies Readonly<Record<string, CodeRow>>;

export type Code = keyof typeof codes;

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/** Where a diagnostic points, and help that is better than the table's. */
export interface DiagnosticPlace {
  readonly file?: string;
  readonly range?: Range;
  readonly help?: string;
  readonly severity?: Severity;
}

export function diagnostic(code: Code, subject: string, message: string, place: DiagnosticPlace = {}): Diagnostic {
  const { severity = 'error', help = codes[code].help, ...where } = place;
  return { code, severity, message, subject, help, ...where };
}

/** The error to throw for a failed operation. */
export function failure(
  code: Code,
  subject: string,
  message: string,
  options: DiagnosticPlace & { readonly cause?: unknown } = {},
): RavelError {
  const { cause, ...place } = options;
  return new RavelError(diagnostic(code, subject, message, place), cause === undefined ? undefined : { cause });
}

export function kindOf(error: RavelError): Kind {
  return isCode(error.code) ? codes[error.code].kind : 'internal';
}
