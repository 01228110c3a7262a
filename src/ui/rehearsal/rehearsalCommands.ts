import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { counted, formatBytes } from '../../base/text.ts';
import { describeHarness, type HarnessName, harnessNames, scenarioHarness } from '../../model/harnesses.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { RehearsalReport } from '../../model/rehearsal.ts';
import { cancellable } from '../cancellation.ts';
import type { CommandTable } from '../commands.ts';
import { choosePlan } from '../trees/choosePlan.ts';
import { everyPlanRuns, isStill } from '../trees/runCommands.ts';
import type { UiContext } from '../uiContext.ts';
import { requireLink } from '../vaultLink.ts';
import type { RehearsalPages } from './rehearsalPages.ts';

/** What is offered: a real program costs, so the person chooses each time. */
const choices = harnessNames.map((name) =>
  name === scenarioHarness
    ? {
        label: t('Play a Scenario'),
        detail: t('No model, no cost: shows whether a cycle of the plan would run.'),
        value: name,
      }
    : {
        label: t`Run ${describeHarness(name).title}`,
        detail: t('Really runs on the copy, and really costs: shows what a cycle would change.'),
        value: name,
      },
);

/** Runs a plan on a copy, with progress, and opens what it would have changed. */
export function rehearsalCommands(pages: RehearsalPages): CommandTable {
  return {
    async rehearsePlan(ui, argument, options): Promise<RehearsalReport | undefined> {
      ui.requireTrust();
      const plan = await choosePlan(ui, argument, { title: t('Rehearse Plan'), fits: isStill, none: everyPlanRuns });
      if (plan === undefined) return undefined;
      const harness = givenHarness(options) ?? (await ui.prompter.pick(choices, { title: t('Rehearse Plan') }));
      if (harness === undefined) return undefined;
      const report = await rehearseWithProgress(ui, plan, harness);
      await pages.show(report);
      return report;
    },
  };
}

function givenHarness(options: unknown): HarnessName | undefined {
  if (typeof options !== 'object' || options === null || !('harness' in options)) return undefined;
  return harnessNames.find((name) => name === options.harness);
}

function rehearseWithProgress(ui: UiContext, plan: QualifiedId, harness: HarnessName): Promise<RehearsalReport> {
  const { vault } = requireLink(ui);
  const options = { location: vscode.ProgressLocation.Notification, title: t`Rehearsing ${plan}`, cancellable: true };
  const rehearsed = vscode.window.withProgress(options, (progress, token) =>
    cancellable(token, (stop) =>
      ui.machine.rehearse({
        ...{ vault, plan, harness, stop },
        onCopying: ({ files, bytes }) =>
          progress.report({
            message: t`copying ${counted(files, t('{0} file'), t('{0} files'))}, ${formatBytes(bytes)}`,
          }),
        onEvent(event) {
          if (event.type === 'phase.started') progress.report({ message: event.phase });
        },
      }),
    ),
  );
  return Promise.resolve(rehearsed);
}
