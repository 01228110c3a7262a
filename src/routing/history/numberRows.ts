/** Numbers of one block; a quarter of a megabyte. */
const blockLength = 65_536;

/**
 * Many short rows of numbers that are kept for long, one behind the other in large blocks: a block of its own for each
 * would cost more than the numbers do.
 */
export class NumberRows {
  private block = new Uint32Array(0);
  private used = 0;

  /** A copy. */
  keep(numbers: ArrayLike<number>): Uint32Array {
    if (this.used + numbers.length > this.block.length) {
      this.block = new Uint32Array(Math.max(blockLength, numbers.length));
      this.used = 0;
    }
    const row = this.block.subarray(this.used, this.used + numbers.length);
    row.set(numbers);
    this.used += numbers.length;
    return row;
  }
}
