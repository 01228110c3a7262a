/** Something with a lifetime that is dropped at once; `dispose` never throws. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/** One disposable that drops many, the last made first. */
export function disposeAll(disposables: readonly Disposable[]): Disposable {
  return toDisposable(() => {
    for (const disposable of disposables.toReversed()) disposable.dispose();
  });
}
