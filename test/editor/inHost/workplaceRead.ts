import * as vscode from 'vscode';
import type { RavelExtension } from '../../../src/extension.ts';
import type { Workplace } from '../../../src/ui/workplace.ts';

/** The extension's own workplace, once the vault of the window is read. */
export async function readWorkplace(): Promise<Workplace> {
  const extension = vscode.extensions.getExtension<RavelExtension>('ravel.ravel');
  if (extension === undefined) throw new Error('The extension is not there.');
  const { workplace } = await extension.activate();
  await whenSeen(workplace, () => (workplace.model.stage === 'ready' ? true : undefined));
  return workplace;
}

/** Resolves with what `look` finds, as soon as the model has changed so that it finds something. */
export function whenSeen<T>({ model }: Workplace, look: () => T | undefined): Promise<T> {
  const now = look();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise((resolve) => {
    const subscription = model.onDidChange(() => {
      const found = look();
      if (found === undefined) return;
      subscription.dispose();
      resolve(found);
    });
  });
}
