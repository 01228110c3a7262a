/** Of the places that an axis would mark, those where something is: not a cycle that has not been. */
export function occupiedMarks(places: readonly number[], marks: readonly number[]): (number | null)[] {
  return marks.map((mark) => (places.includes(mark) ? mark : null));
}
