import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { ContextKeys } from '../contextKeys.ts';
import type { UiContext } from '../uiContext.ts';
import { isDemo } from './demoPlace.ts';
import { vaultFacts } from './vaultFacts.ts';

/** What the person has done once and for all on this machine. */
type Fact = 'ranDemo' | 'claudeCodeReady';

const remembered: readonly Fact[] = ['ranDemo', 'claudeCodeReady'];

/** Remembers a fact, which ticks off its step of the walkthrough. */
export async function setFact({ context }: Pick<UiContext, 'context'>, fact: Fact, holds = true): Promise<void> {
  await context.globalState.update(`ravel.${fact}`, holds);
  await vscode.commands.executeCommand('setContext', `ravel.${fact}`, holds);
}

/** The steps of the walkthrough in their order, by their names in `package.json`. */
type StartStep = 'vault' | 'project' | 'plan' | 'runDemo' | 'claude';

/** The first step that is not done; undefined if all are. */
export function nextStep(ui: UiContext): StartStep | undefined {
  const { hasOwnVault, hasProject, hasWork } = ownFacts(ui);
  const has = (fact: Fact) => ui.context.globalState.get(`ravel.${fact}`) === true;
  const done: readonly (readonly [StartStep, boolean])[] = [
    ['vault', hasOwnVault],
    ['project', hasProject],
    ['plan', hasWork],
    ['runDemo', has('ranDemo')],
    ['claude', has('claudeCodeReady')],
  ];
  return done.find(([, isDone]) => !isDone)?.[0];
}

/** Keeps the context keys of the walkthrough: each is true while what it says is true. */
export function followFacts(ui: UiContext): Disposable {
  const { context, model } = ui;
  const keys = new ContextKeys(ui);
  for (const fact of remembered) keys.set({ [`ravel.${fact}`]: context.globalState.get(`ravel.${fact}`) === true });
  const refresh = () => {
    const { hasOwnVault, hasProject, hasWork } = ownFacts(ui);
    keys.set({
      'ravel.isDemo': isDemo(ui),
      'ravel.hasOwnVault': hasOwnVault,
      'ravel.hasProject': hasProject,
      'ravel.hasWork': hasWork,
    });
  };
  refresh();
  return model.onDidChange(refresh);
}

/** Steps are ticked off by what is the person's own. */
function ownFacts(ui: UiContext) {
  const { hasProject, hasWork } = vaultFacts(ui.model.outline);
  const isOwn = !isDemo(ui);
  return {
    hasOwnVault: isOwn && ui.link.value !== undefined,
    hasProject: isOwn && hasProject,
    hasWork: isOwn && hasWork,
  };
}
