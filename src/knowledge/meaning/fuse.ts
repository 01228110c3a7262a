/** A place far down counts little less than one further down; the constant of the method. */
const smoothing = 60;

/** What a place in a ranking gives, from 0 on; 0 for what is not in it. */
export function reciprocalRank(place: number | undefined): number {
  return place === undefined ? 0 : 1 / (smoothing + place + 1);
}
