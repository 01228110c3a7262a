/** Mulberry32: numbers from 0 up to 1 that look like random and are the same in every run; enough for a bench. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 on, below the one that is given. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}
