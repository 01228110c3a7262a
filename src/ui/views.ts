import { t } from '@vscode/l10n';
import { type Disposable, disposeAll } from '../base/disposable.ts';
import type { QuestionView } from '../model/webview.ts';
import { type CommandTable, registerCommands } from './commands.ts';
import { approvalCommands, questionPage } from './inbox/approvalCommands.ts';
import { ApprovalPages } from './inbox/approvalPages.ts';
import { inboxCommands } from './inbox/inboxCommands.ts';
import { InboxView } from './inbox/inboxView.ts';
import { addCommands } from './knowledge/addCommands.ts';
import { entryCommands } from './knowledge/entryCommands.ts';
import { exploreCommands } from './knowledge/exploreCommands.ts';
import { knowledgeCommands } from './knowledge/knowledgeCommands.ts';
import { registerKnowledgePages } from './knowledge/knowledgePages.ts';
import { KnowledgeView } from './knowledge/knowledgeView.ts';
import { learnedCommands } from './knowledge/learnedCommands.ts';
import { BacklogView } from './messages/backlogView.ts';
import { registerCausePages } from './messages/causePages.ts';
import { messageCommands } from './messages/messageCommands.ts';
import { questionCommands } from './messages/questionCommands.ts';
import { rehearsalCommands } from './rehearsal/rehearsalCommands.ts';
import { RehearsalPages } from './rehearsal/rehearsalPages.ts';
import { SinglePage } from './runner/singlePage.ts';
import { choosePlan } from './trees/choosePlan.ts';
import { ExpertsView } from './trees/expertsView.ts';
import { manualCommands } from './trees/manualCommands.ts';
import { planCommands } from './trees/planCommands.ts';
import { PlansView } from './trees/plansView.ts';
import { runCommands } from './trees/runCommands.ts';
import { SessionsView } from './trees/sessionsView.ts';
import type { UiContext } from './uiContext.ts';

/** The views of the activity bar, with what can be done from them. */
export function registerViews(ui: UiContext): Disposable {
  const plans = new PlansView(ui);
  const sessions = new SessionsView(ui);
  const pages = new ApprovalPages(ui);
  const page = new SinglePage<QuestionView>(ui, questionPage);
  const rehearsals = new RehearsalPages();
  const table: CommandTable = {
    ...runCommands,
    ...manualCommands,
    ...planCommands,
    ...rehearsalCommands(rehearsals),
    ...messageCommands,
    ...knowledgeCommands,
    ...entryCommands,
    ...addCommands,
    ...exploreCommands,
    ...learnedCommands,
    ...questionCommands,
    ...approvalCommands(pages, page),
    ...inboxCommands(pages),
    ...viewCommands(plans, sessions),
  };
  return disposeAll([
    plans,
    new ExpertsView(ui),
    new KnowledgeView(ui),
    registerKnowledgePages(ui),
    rehearsals,
    new InboxView(ui),
    new BacklogView(ui, plans.onDidSelect),
    registerCausePages(ui),
    sessions,
    pages,
    page,
    registerCommands(ui, table),
  ]);
}

function viewCommands(plans: PlansView, sessions: SessionsView): CommandTable {
  return {
    filterPlans: () => plans.askFilter(),
    clearPlanFilter: () => plans.clearFilter(),
    sortPlansByName: () => plans.choose({ ...plans.choice, order: 'name' }),
    sortPlansByAttention: () => plans.choose({ ...plans.choice, order: 'attention' }),
    async revealPlan(ui, argument) {
      const plan =
        sessions.entry(argument)?.plan ?? (await choosePlan(ui, argument, { title: t('Show Plan in the Tree') }));
      if (plan !== undefined) await plans.reveal(plan);
      return plan;
    },
    async stopSession(ui, argument) {
      const plan = sessions.entry(argument)?.plan;
      return runCommands['stopPlan']?.(ui, plan);
    },
  };
}
