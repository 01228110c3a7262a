import { disposeAll } from '../../base/disposable.ts';
import { registerCommands } from '../commands.ts';
import type { Part } from '../uiContext.ts';
import { registerRoutingLenses } from './routingLenses.ts';
import { registerRoutingPanel } from './routingPanel.ts';
import { RuleDocument } from './ruleDocument.ts';
import { registerRuleForms } from './ruleForms.ts';
import { registerLint } from './ruleLint.ts';
import { RulePreview } from './rulePreview.ts';
import { RuleReview } from './ruleReview.ts';
import { suggestionCommands } from './suggestionCommands.ts';
import { SuggestionThreads } from './suggestionThreads.ts';

/** The rules of the vault in its editor, what is suggested for them, and the page about how messages find their way. */
export const routingPart: Part = (ui) => {
  const review = new RuleReview(ui);
  const document = new RuleDocument(ui, review);
  const threads = new SuggestionThreads(ui, { review, document });
  const preview = new RulePreview(review, document);
  const { clock } = ui;
  return disposeAll([
    ...[review, document, threads, preview],
    registerCommands(ui, suggestionCommands({ review, document, threads, preview })),
    registerRoutingLenses({ review, document, threads, clock }),
    registerRuleForms(ui, review),
    registerLint(ui, { review, document }),
    registerRoutingPanel(ui),
  ]);
};
