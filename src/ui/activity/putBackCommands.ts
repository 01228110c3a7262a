import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../base/defined.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { LeftFileRow } from '../../model/requests/inspect.ts';
import { registerCommands } from '../commands.ts';
import { ShownTexts } from '../runner/shownTexts.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import { planName } from '../trees/planRows.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';

/** Puts files back that an unfinished work phase changed, after a look at what that changes. */
export function putBackCommands(ui: UiContext): Disposable {
  const texts = new ShownTexts('ravel-put-back');
  const putBackFiles = (_ui: UiContext, argument: unknown, asked: unknown) => putBack(ui, texts, argument, asked);
  return disposeAll([texts, registerCommands(ui, { putBackFiles })]);
}

/** What a page asks for; without a path all files. */
interface Asked {
  readonly path?: string;
  readonly to: Direction;
}

type Direction = 'before' | 'after';

interface Job {
  readonly plan: QualifiedId;
  readonly session: Ulid;
  readonly paths: readonly string[];
  readonly to: Direction;
}

async function putBack(ui: UiContext, texts: ShownTexts, argument: unknown, given: unknown): Promise<unknown> {
  ui.requireTrust();
  const plan = await choosePlan(ui, argument, { title: t('Put Back Files That Work Changed') });
  if (plan === undefined) return undefined;
  const { session, left = [] } = await requireLink(ui).api.request('changes', { plan });
  const asked = toAsked(given) ?? (await chooseFile(ui, plan, left));
  if (asked === undefined) return undefined;
  const { to, path } = asked;
  const rows = left.filter((row) => canGo(row, to) && (path === undefined || row.path === path));
  if (rows.length === 0) {
    const [row] = left.filter((one) => one.path === path);
    await ui.prompter.info(row === undefined ? noFiles(plan) : reasonFor(row));
    return undefined;
  }
  const job = { plan, session, to, paths: rows.map((row) => row.path) };
  await showChange(ui, texts, job);
  if (!(await confirm(ui, job))) return undefined;
  return carryOut(ui, job);
}

function toAsked(given: unknown): Asked | undefined {
  if (!isRecord(given)) return undefined;
  const { path, to } = given;
  if (to !== 'before' && to !== 'after') return undefined;
  return { to, ...defined({ path: typeof path === 'string' ? path : undefined }) };
}

/** Whether a file can be put back, or the change to it can come again. */
function canGo(row: LeftFileRow, to: Direction): boolean {
  return to === 'before' ? row.now === 'left' && row.why === undefined : row.now === 'before' && row.isKept;
}

async function chooseFile(ui: UiContext, plan: QualifiedId, left: readonly LeftFileRow[]): Promise<Asked | undefined> {
  const able = left.filter((row) => canGo(row, 'before'));
  if (able.length === 0) {
    await ui.prompter.info(noFiles(plan));
    return undefined;
  }
  const all = { label: t('All Files'), description: String(able.length), value: { to: 'before' } as Asked };
  const single = able.map(({ path }) => ({ label: plainChoice(path), value: { to: 'before', path } as Asked }));
  return ui.prompter.pick([all, ...single], {
    title: t('Put Back Files That Work Changed'),
    placeHolder: t('Shows what would change, and asks before it changes anything'),
  });
}

function noFiles(plan: QualifiedId): string {
  return t`No file can be put back: the newest work of ${sanitizeLabel(planName(plan))} changed none, or it is finished.`;
}

function reasonFor(row: LeftFileRow): string {
  const name = sanitizeLabel(row.path);
  if (row.why !== undefined) return t`${name} cannot be put back: ${sanitizeLabel(row.why)}`;
  if (row.now === 'changed') return t`${name} was changed after the session, so it stays as it is.`;
  return t`${name} is back already.`;
}

/** Files of a comparison that are shown at once. */
const shownMax = 40;

/** All files in one editor, as they are and as they will be. */
async function showChange(ui: UiContext, texts: ShownTexts, { plan, session, paths, to }: Job): Promise<void> {
  // Of what comes again the text is kept, and no list of changes has it any more.
  if (to === 'after') return;
  const { api } = requireLink(ui);
  const rows: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const path of paths.slice(0, shownMax)) {
    const side = (which: Direction) =>
      api.request('changed_file', { plan, session, set: 'source', path, side: which }).then(({ text }) => text);
    const [before, now] = await Promise.all([side('before'), side('after')]);
    const [is, becomes] = [texts.keep(path, now), texts.keep(path, before)];
    rows.push([becomes, is, becomes]);
  }
  await vscode.commands.executeCommand('vscode.changes', t('Files that go back'), rows);
}

async function confirm({ prompter }: UiContext, { paths, to }: Job): Promise<boolean> {
  const files = counted(paths.length, t('{0} file'), t('{0} files'));
  const button = to === 'before' ? t('Put Back') : t('Bring Again');
  const question =
    to === 'before'
      ? t`Put ${files} back as before the session? What the session left is kept, and can come again.`
      : t`Give ${files} again what the session had left?`;
  return (await prompter.info(question, button)) === button;
}

async function carryOut(ui: UiContext, job: Job): Promise<RequestResults['put_back']> {
  const { plan, session, paths, to } = job;
  const done = await requireLink(ui).api.request('put_back', { plan, session, paths: [...paths], to });
  const [first] = done.refused;
  if (first !== undefined) {
    const files = counted(done.refused.length, t('{0} file'), t('{0} files'));
    await ui.prompter.warn(
      t`${files} stayed as before: ${sanitizeLabel(first.path)}, since ${sanitizeLabel(first.why)}`,
    );
    return done;
  }
  const undo = t('Undo');
  const files = counted(done.done.length, t('{0} file'), t('{0} files'));
  const isUndone = (await ui.prompter.info(t`Put ${files} back.`, undo)) === undo;
  if (isUndone) {
    const back = to === 'before' ? 'after' : 'before';
    await requireLink(ui).api.request('put_back', { plan, session, paths: [...done.done], to: back });
  }
  return done;
}
