import { registerCommands } from '../commands.ts';
import { disposeAll } from '../disposables.ts';
import type { Part } from '../workplace.ts';
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
export const routingPart: Part = (workplace) => {
  const review = new RuleReview(workplace);
  const document = new RuleDocument(workplace, review);
  const threads = new SuggestionThreads(workplace, { review, document });
  const preview = new RulePreview(review, document);
  const { clock } = workplace;
  return disposeAll([
    ...[review, document, threads, preview],
    registerCommands(workplace, suggestionCommands({ review, document, threads, preview })),
    registerRoutingLenses({ review, document, threads, clock }),
    registerRuleForms(workplace, review),
    registerLint(workplace, { review, document }),
    registerRoutingPanel(workplace),
  ]);
};
