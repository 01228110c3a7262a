import { type Disposable, toDisposable } from '../src/base/disposable.ts';

/** Calls back once, with the next picture that the browser draws; this file alone asks for one. */
export function nextFrame(callback: () => void): Disposable {
  const frame = requestAnimationFrame(callback);
  return toDisposable(() => cancelAnimationFrame(frame));
}
