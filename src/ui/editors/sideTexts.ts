import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';

/** One side of a file that a session changed: as the session found it, or as it left it. */
export interface ShownSide {
  readonly plan: string;
  readonly session: string;
  /** The changes that the file is among, as `changed_file` takes them. */
  readonly set: string;
  /** Relative to the plan's folder, or to its project for a source file. */
  readonly path: string;
  readonly side: 'before' | 'after';
}

const scheme = 'ravel-session';

/** The address of a side; the editor shows its path, so that the language follows from the name of the file. */
function sideUri(side: ShownSide): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${side.path}`, query: JSON.stringify(side) });
}

/**
 * Shows sides as read-only documents. `read` gives a side's text, the empty text where the file did not exist; it is
 * asked again whenever `onDidChange` names a session whose files may have changed.
 */
export function registerSideTexts(
  read: (side: ShownSide) => Promise<string>,
  onDidChange: (listener: (session: string) => void) => Disposable,
  onError: (error: unknown) => void,
): Disposable {
  const changes = new Emitter<vscode.Uri>(onError);
  return disposeAll([
    changes,
    onDidChange((session) => {
      for (const { uri } of vscode.workspace.textDocuments) {
        if (uri.scheme === scheme && sideOf(uri).session === session) changes.emit(uri);
      }
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: (listener, self?: unknown, list?: vscode.Disposable[]) => {
        const subscription = changes.event((uri) => listener.call(self, uri));
        const disposable = new vscode.Disposable(() => subscription.dispose());
        list?.push(disposable);
        return disposable;
      },
      provideTextDocumentContent: (uri) => read(sideOf(uri)),
    }),
  ]);
}

/** The two sides of one file, next to each other. */
export async function showSides(side: Omit<ShownSide, 'side'>, title: string): Promise<void> {
  const [before, after] = [sideUri({ ...side, side: 'before' }), sideUri({ ...side, side: 'after' })];
  await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
}

function sideOf(uri: vscode.Uri): ShownSide {
  return JSON.parse(uri.query);
}
