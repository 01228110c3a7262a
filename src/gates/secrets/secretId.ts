import { createHash } from 'node:crypto';

/** A name for a secret that does not tell it: what a person adds to `gates.allowed-secrets`. 16 hexadecimal digits. */
export function secretId(value: string): string {
  return createHash('sha256').update(`secret ${value}`).digest('hex').slice(0, 16);
}
