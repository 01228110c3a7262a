import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { localTime } from '../../base/localTime.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { ComparedFile, SnapshotRow } from '../../model/requests/snapshots.ts';
import type { Choice } from '../choice.ts';
import { registerCommands } from '../commands.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import { planName } from '../trees/planRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';

const scheme = 'ravel-snapshot';

/** A list that a person narrows by typing. */
const snapshotsShown = 200;
/** Among which one that a page names is looked for. */
const snapshotsMax = 10_000;

/** Puts a plan back as an earlier commit has it, after a look at what that would change. */
export function snapshotCommands(ui: UiContext): Disposable {
  const sides = new SnapshotSides(ui);
  return disposeAll([
    sides,
    registerCommands(ui, { rollBackPlan: (_ui, argument, id) => rollBack(ui, sides, argument, id) }),
  ]);
}

/** `id`: a snapshot that was chosen on a page. */
async function rollBack(ui: UiContext, sides: SnapshotSides, argument: unknown, id: unknown): Promise<unknown> {
  ui.requireTrust();
  const plan = await choosePlan(ui, argument, { title: t('Restore Earlier State of Plan') });
  if (plan === undefined) return undefined;
  const { api } = requireLink(ui);
  const { snapshots } = await api.request('snapshots', {
    plan,
    limit: id === undefined ? snapshotsShown : snapshotsMax,
  });
  const name = sanitizeLabel(planName(plan));
  const earlier = snapshots.filter(({ isNow }) => !isNow);
  if (earlier.length === 0) {
    await ui.prompter.info(t`No commit has an earlier state of ${name}.`);
    return undefined;
  }
  const picks = () =>
    ui.prompter.pick(earlier.map(snapshotChoice), {
      title: t`Earlier States of ${name}`,
      placeHolder: t('Shows what would change, and asks before it changes anything'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
  const chosen = earlier.find((row) => row.id === id) ?? (await picks());
  if (chosen === undefined) return undefined;
  const { id: snapshot, at } = chosen;
  const { files } = await api.request('compare_snapshot', { plan, snapshot });
  await sides.show(plan, chosen, files);
  const button = t('Put Back');
  const question = t`Put ${name} back as it was on ${localTime(at)}? Its tasks, memory and phase change; messages, the session log and the source stay.`;
  if ((await ui.prompter.info(question, button)) !== button) return undefined;
  const done = await api.request('roll_back', { plan, snapshot });
  await offerUndo(ui, plan, done.before);
  return done;
}

async function offerUndo(ui: UiContext, plan: QualifiedId, before: string | undefined): Promise<void> {
  const name = sanitizeLabel(planName(plan));
  if (before === undefined) {
    await ui.prompter.info(t`${name} is in this state already; nothing was changed.`);
    return;
  }
  const undo = t('Undo');
  if ((await ui.prompter.info(t`${name} is back as it was.`, undo)) !== undo) return;
  await requireLink(ui).api.request('roll_back', { plan, snapshot: before });
}

function snapshotChoice(row: SnapshotRow): Choice<SnapshotRow> {
  return {
    label: plainChoice(row.title),
    description: plainChoice(localTime(row.at)),
    detail: row.id.slice(0, 12),
    value: row,
  };
}

interface Side {
  readonly plan: QualifiedId;
  readonly snapshot: string;
  readonly file: string;
  readonly side: 'before' | 'after';
}

/** The files of a plan as they are and as a snapshot has them, as documents that are read and not written. */
class SnapshotSides implements Disposable {
  readonly #registered: Disposable;
  /** Of the comparison that was shown last: each of its documents has one of its texts. */
  #shown:
    | { readonly plan: QualifiedId; readonly snapshot: string; readonly files: readonly ComparedFile[] }
    | undefined;

  constructor(ui: UiContext) {
    this.#registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      // The address holds all that is asked for, so a window that comes back shows the same.
      provideTextDocumentContent: async (uri) => {
        const { plan, snapshot, file, side }: Side = JSON.parse(uri.query);
        const shown = this.#shown;
        const { files } =
          shown?.plan === plan && shown.snapshot === snapshot
            ? shown
            : await requireLink(ui).api.request('compare_snapshot', { plan, snapshot });
        const found = files.find((one) => one.file === file);
        return (side === 'before' ? found?.before : found?.after) ?? '';
      },
    });
  }

  /** All files that differ in one editor. */
  async show(plan: QualifiedId, { id: snapshot, at }: SnapshotRow, files: readonly ComparedFile[]): Promise<void> {
    this.#shown = { plan, snapshot, files };
    const uriOf = (file: string, side: Side['side']) =>
      vscode.Uri.from({ scheme, path: `/${file}`, query: JSON.stringify({ plan, snapshot, file, side }) });
    const rows = files.map(({ file }) => {
      const [before, after] = [uriOf(file, 'before'), uriOf(file, 'after')];
      return [after, before, after];
    });
    const title = t`Going back to ${localTime(at)}`;
    await vscode.commands.executeCommand('vscode.changes', title, rows);
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
