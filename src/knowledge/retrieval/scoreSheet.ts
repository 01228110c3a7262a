/** What one search works on, used again by the next one: a search makes nothing that grows with the documents. */
export class ScoreSheet {
  /** Scores of documents by their number; `touched` has those with a score, up to `count`. */
  scores = new Float64Array(0);
  touched = new Uint32Array(0);
  count = 0;
  /** Documents that can still be among the best, up to `candidateCount`, with their sums beside them. */
  candidates = new Uint32Array(0);
  sums = new Float64Array(0);
  candidateCount = 0;

  /** Without any score, for documents below this number. */
  clear(end: number): void {
    if (this.scores.length < end) {
      this.scores = new Float64Array(end);
      this.touched = new Uint32Array(end);
      this.candidates = new Uint32Array(end);
      this.sums = new Float64Array(end);
    } else {
      for (let n = 0; n < this.count; n += 1) this.scores[this.touched[n] ?? 0] = 0;
    }
    this.count = 0;
    this.candidateCount = 0;
  }
}
