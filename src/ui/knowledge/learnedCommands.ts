import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isUlid, type Ulid } from '../../model/id.ts';
import type { Ingestion } from '../../model/ingestion.ts';
import { cancellable } from '../cancellation.ts';
import type { CommandTable } from '../commands.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import { showKnowledgePage } from './knowledgePages.ts';
import { learnedChoices } from './learnedText.ts';

/** Commands about what plans proved, and what becomes of it. */
export const learnedCommands: CommandTable = {
  async takeInLearned(ui, argument) {
    ui.requireTrust();
    const { api } = requireLink(ui);
    const plan = await choosePlan(ui, argument, { title: t('Take In What Which Plan Proved?') });
    if (plan === undefined) return undefined;
    const { ingestion } = await offering(t`Asking experts about what ${plan} proved`, (signal) =>
      api.request('ingest', { plan }, signal),
    );
    if (ingestion === undefined) {
      await ui.prompter.info(
        t('The latest cycle of the plan proved nothing, or the vault has no expert to take it in.'),
      );
      return undefined;
    }
    return show(ingestion);
  },

  async showLearned(ui) {
    const chosen = await chooseIngestion(ui, undefined, t('What Plans Learned'));
    return chosen === undefined ? undefined : show(chosen);
  },

  async replayLearned(ui, argument) {
    ui.requireTrust();
    const { api } = requireLink(ui);
    const chosen = await chooseIngestion(ui, argument, t('Offer Again What Which Cycle Taught?'));
    if (chosen === undefined) return undefined;
    const { id, plan } = chosen;
    return show(
      await offering(t`Asking experts again about what ${plan} proved`, (signal) =>
        api.request('replay_ingestion', { id }, signal),
      ),
    );
  },
};

/** Experts take minutes; what they say is told by events, and kept if the person waits no longer. */
async function offering<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) =>
    cancellable(token, work),
  );
}

async function show({ id, plan }: Pick<Ingestion, 'id' | 'plan'>): Promise<Ulid> {
  await showKnowledgePage('learned', id, t`Learned by ${plan}`);
  return id;
}

async function chooseIngestion(
  ui: UiContext,
  argument: unknown,
  title: string,
): Promise<Pick<Ingestion, 'id' | 'plan'> | undefined> {
  const { api } = requireLink(ui);
  if (typeof argument === 'string' && isUlid(argument)) return api.request('ingestion', { id: argument });
  const { ingestions } = await api.request('ingestions', {});
  if (ingestions.length === 0) {
    await ui.prompter.info(t('No cycle has taught anything that was proven.'));
    return undefined;
  }
  return ui.prompter.pick(learnedChoices(ingestions), { title, matchOnDescription: true, matchOnDetail: true });
}
