import { failure } from '../model/codes.ts';
import { idPartLengthMin, isUlid } from '../model/id.ts';

/**
 * The whole id that a person named by it, its beginning or its end. What is not a part of a known id is given back, for the
 * request to refuse. Throws `cli/usage` if several fit.
 */
export async function wholeId(named: string, listIds: () => Promise<readonly string[]>): Promise<string> {
  const wanted = named.toUpperCase();
  if (isUlid(wanted)) return wanted;
  if (wanted.length < idPartLengthMin) return named;
  const found = (await listIds()).filter((id) => id.startsWith(wanted) || id.endsWith(wanted));
  if (found.length > 1) {
    throw failure('cli/usage', named, `Several have an id like "${named}": ${found.join(', ')}.`, {
      help: 'Name more of the id.',
    });
  }
  return found[0] ?? named;
}
