import { type Disposable, toDisposable } from '../base/disposable.ts';

/** One disposable that drops many, the last made first. */
export function disposeAll(disposables: readonly Disposable[]): Disposable {
  return toDisposable(() => {
    for (const disposable of disposables.toReversed()) disposable.dispose();
  });
}
