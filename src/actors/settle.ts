/** How something ended that may throw. */
export type Settled<T> =
  | { readonly kind: 'did'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown };

/** A promise even if `work` throws at once; it never rejects. */
export async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'did', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}
