/** Throws when an invariant of the program itself is broken; bad input is never asserted, it is reported. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}
