import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, disposeAll } from '../../base/disposable.ts';
import type { RuleDocument } from './ruleDocument.ts';
import { type RuleLens, routingLenses } from './ruleLenses.ts';
import type { RuleReview } from './ruleReview.ts';
import { ruleHover } from './suggestionText.ts';
import type { SuggestionThreads } from './suggestionThreads.ts';

const selector: vscode.DocumentFilter = { scheme: 'file', pattern: '**/routing.yaml' };

interface LensParts {
  readonly review: RuleReview;
  readonly document: RuleDocument;
  readonly threads: SuggestionThreads;
  readonly clock: Clock;
}

/** What stands above the rules of `routing.yaml` and above the places of suggested ones; `ravel.codeLens` switches it off. */
export function registerRoutingLenses(parts: LensParts): Disposable {
  const { review, document, threads, clock } = parts;
  const changes = new vscode.EventEmitter<void>();
  const fire = () => changes.fire();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changes.event,
    async provideCodeLenses(shown) {
      if (!document.isShownIn(shown)) return [];
      if (!vscode.workspace.getConfiguration('ravel', shown).get<boolean>('codeLens', true)) return [];
      await document.read(shown);
      const suggestions = review.suggestions.map((row) => ({ row, line: threads.lineOf(row) }));
      const facts = { suggestions, rules: review.rules, lines: document.lines, lineCount: shown.lineCount };
      return routingLenses(facts, clock.wallMs()).map(toLens);
    },
  };
  return disposeAll([
    changes,
    review.onDidChange(fire),
    document.onDidChange(fire),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ravel.codeLens')) fire();
    }),
    vscode.languages.registerCodeLensProvider(selector, provider),
    vscode.languages.registerHoverProvider(selector, {
      provideHover(shown, { line }) {
        if (!document.isShownIn(shown)) return undefined;
        const id = document.lines.find(({ first }) => first === line)?.id;
        const row = id === undefined ? undefined : review.rules.find((one) => one.id === id);
        if (row === undefined) return undefined;
        const text = new vscode.MarkdownString(ruleHover(row, clock.wallMs()));
        text.isTrusted = { enabledCommands: ['ravel.why'] };
        return new vscode.Hover(text);
      },
    }),
  ]);
}

function toLens({ line, title, tooltip, command, arguments: args }: RuleLens): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, tooltip, command, arguments: [...args] });
}
