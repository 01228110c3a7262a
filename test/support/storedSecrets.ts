import { createStoredValues, type StoredSecret } from '../../src/gates/secrets/storedValues.ts';
import type { StoredValues } from '../../src/model/storedValues.ts';

/** The port of a person who keeps these secrets; without arguments, none. */
export function storedSecretsOf(...secrets: readonly StoredSecret[]): () => Promise<StoredValues> {
  const values = createStoredValues(secrets);
  return () => Promise.resolve(values);
}
