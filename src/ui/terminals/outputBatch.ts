import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** As long as a frame: what comes within it is drawn at once. */
const frameMs = 16;
/** What is more than this is not held back for a frame. */
const unitsMax = 256 * 1024;

/** Gathers what a program prints for a frame, since each piece costs a message between processes. */
export class OutputBatch implements Disposable {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  #pieces: string[] = [];
  #units = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, write: (text: string) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(text: string): void {
    this.#pieces.push(text);
    this.#units += text.length;
    if (this.#units >= unitsMax) this.flush();
    else this.#timer ??= this.#clock.schedule(frameMs, () => this.flush());
  }

  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#units === 0) return;
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#units = 0;
    this.#write(text);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#pieces = [];
    this.#units = 0;
  }
}
