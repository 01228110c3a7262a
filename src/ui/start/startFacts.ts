import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { ContextKeys } from '../contextKeys.ts';
import type { Workplace } from '../workplace.ts';
import { isRehearsal } from './rehearsalPlace.ts';
import { vaultFacts } from './vaultFacts.ts';

/** What the person has done once and for all on this machine. */
type Fact = 'rehearsed' | 'claudeCodeReady';

const remembered: readonly Fact[] = ['rehearsed', 'claudeCodeReady'];

/** Remembers a fact, which ticks off its step of the walkthrough. */
export async function setFact({ context }: Pick<Workplace, 'context'>, fact: Fact, holds = true): Promise<void> {
  await context.globalState.update(`ravel.${fact}`, holds);
  await vscode.commands.executeCommand('setContext', `ravel.${fact}`, holds);
}

/** Keeps the context keys of the walkthrough: each is true while what it says is true. */
export function followFacts(workplace: Workplace): Disposable {
  const { context, model } = workplace;
  const keys = new ContextKeys(workplace);
  for (const fact of remembered) keys.tell({ [`ravel.${fact}`]: context.globalState.get(`ravel.${fact}`) === true });
  const look = () => {
    const { hasProject, hasWork } = vaultFacts(model.forest);
    const rehearses = isRehearsal(workplace);
    keys.tell({
      'ravel.isRehearsal': rehearses,
      // Steps are ticked off by what is the person's own.
      'ravel.hasOwnVault': !rehearses && workplace.link.value !== undefined,
      'ravel.hasProject': !rehearses && hasProject,
      'ravel.hasWork': !rehearses && hasWork,
    });
  };
  look();
  return model.onDidChange(look);
}
