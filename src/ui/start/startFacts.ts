import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Workplace } from '../workplace.ts';
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
export function followFacts({ context, model, log }: Workplace): Disposable {
  const set = (key: string, value: boolean) => {
    vscode.commands.executeCommand('setContext', `ravel.${key}`, value).then(undefined, (error: unknown) => {
      log.error(String(error));
    });
  };
  for (const fact of remembered) set(fact, context.globalState.get(`ravel.${fact}`) === true);
  const told = new Map<string, boolean>();
  const look = () => {
    for (const [key, value] of Object.entries(vaultFacts(model.forest))) {
      if (told.get(key) === value) continue;
      told.set(key, value);
      set(key, value);
    }
  };
  look();
  return model.onDidChange(look);
}
