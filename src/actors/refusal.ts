import { isRavelError, messageOf, type RavelError, systemCode } from '../base/errors.ts';
import { codes, failure, isCode } from '../model/codes.ts';

/**
 * The failure for a temporary refusal: by the disk, by a lock that is held, or by a file that is being saved. The same
 * is tried again later, and neither the message nor its actor is at fault. Undefined for every other error.
 */
export function passingRefusal(error: unknown, actor: string): RavelError | undefined {
  if (isRavelError(error)) return isCode(error.code) && codes[error.code].retryable ? error : undefined;
  const code = systemCode(error);
  if (code === undefined || !passing.has(code)) return undefined;
  return failure('disk/failed', actor, messageOf(error), { cause: error });
}

/** In words for a person why the actor waits. */
export function refusalReason({ code, message }: RavelError): string {
  return code.startsWith('disk/') ? `the disk refuses: ${message}` : `it is tried again by itself: ${message}`;
}

/**
 * What the system says when it lacks something just now: descriptors, memory, processes, space, a device or a mount
 * that answers. For operations whose errors come as the system gives them.
 */
const passing: ReadonlySet<string> = new Set([
  ...['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'EBUSY', 'EINTR', 'ETXTBSY'],
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'],
  ...['EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'ENOTCONN', 'ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH'],
]);
