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

/** Keeps the context keys of the walkthrough: each is true while what it says is true. */
export function followFacts(ui: UiContext): Disposable {
  const { context, model } = ui;
  const keys = new ContextKeys(ui);
  for (const fact of remembered) keys.set({ [`ravel.${fact}`]: context.globalState.get(`ravel.${fact}`) === true });
  const refresh = () => {
    const { hasProject, hasWork } = vaultFacts(model.outline);
    const inDemo = isDemo(ui);
    keys.set({
      'ravel.isDemo': inDemo,
      // Steps are ticked off by what is the person's own.
      'ravel.hasOwnVault': !inDemo && ui.link.value !== undefined,
      'ravel.hasProject': !inDemo && hasProject,
      'ravel.hasWork': !inDemo && hasWork,
    });
  };
  refresh();
  return model.onDidChange(refresh);
}
