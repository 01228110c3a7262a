/** Scores of documents by their number, and which of them have one; both are used again for the next search. */
export class ScoreSheet {
  scores = new Float64Array(0);
  touched = new Uint32Array(0);
  count = 0;

  /** Without any score, for documents below this number. */
  clear(end: number): void {
    if (this.scores.length < end) {
      this.scores = new Float64Array(end);
      this.touched = new Uint32Array(end);
    } else {
      for (let n = 0; n < this.count; n += 1) this.scores[this.touched[n] ?? 0] = 0;
    }
    this.count = 0;
  }
}
