/** Throws when an invariant of the program itself is broken; bad input is never asserted, it is reported. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Makes a switch complete: the compiler refuses a call with any member left over. */
export function assertNever(value: never): never {
  throw new AssertionError(`unexpected value ${JSON.stringify(value)}`);
}
