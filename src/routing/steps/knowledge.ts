import { runInSlices } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import type { RoutedMessage, SuggestedRule } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import type { Settings } from '../../model/settings.ts';
import type { ContentIndex } from '../content/contentIndex.ts';
import { prepareRecipients } from '../facts/preparedRecipients.ts';
import { routedText } from '../facts/text.ts';
import { createVocabulary, factsOf, type Vocabulary } from '../facts/vocabulary.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import { createPausingBackTester } from '../learning/backTest.ts';
import type { KnownRecipients, RecipientDirectory } from '../recipientDirectory.ts';
import { stemsOf } from '../rules/ruleKey.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import { whyRules } from '../rules/whyRule.ts';
import { calibrate, labelledDecisions, weighedLead } from '../scores/calibration.ts';
import { scoreCandidates } from '../scores/scoring.ts';
import type { TaskLeads } from '../scores/taskLeads.ts';
import type { RoutingKnowledge } from './matchWithoutModel.ts';

export interface KnowledgePorts {
  /** The rules as their file has them at this moment; the same object until it changes. */
  readonly rules: () => Promise<{ readonly rules: readonly Rule[]; readonly ruleSet: RuleSet }>;
  readonly recipients: Pick<RecipientDirectory, 'known'>;
  /** The earlier decisions; the caller waits until they are read, and gets undefined if that takes too long. */
  readonly index: () => Promise<HistoryIndex | undefined>;
  /** What they are about, by their texts. */
  readonly content: ContentIndex;
  /** What scores would say about tasks of plans, whose receivers are known. */
  readonly taskLeads: Pick<TaskLeads, 'of'>;
  readonly settings: Pick<Settings['routing'], 'auto-score' | 'precision'>;
}

/** Candidates that are weighed against each other, and of which sessions are shown the first. */
const candidatesMax = 40;

/**
 * What is known about where messages go; each call remakes only what changed since the last one. It has nothing to do with
 * the room `knowledge`, which finds texts.
 */
export class RoutingKnowledgeBase {
  readonly #ports: KnowledgePorts;
  #made:
    | { readonly rules: readonly Rule[]; readonly known: KnownRecipients; readonly vocabulary: Vocabulary }
    | undefined;

  constructor(ports: KnowledgePorts) {
    this.#ports = ports;
  }

  async current(): Promise<RoutingKnowledge> {
    const { rules, recipients, content, settings, taskLeads } = this.#ports;
    const [page, known, index] = await Promise.all([rules(), recipients.known(), this.#ports.index()]);
    await content.refresh(known);
    const vocabulary = this.#vocabulary(page.rules, known);
    const { prepared } = vocabulary;
    return {
      rules: page.ruleSet,
      vocabulary,
      score: (message, facts, within) => {
        const text = routedText(message);
        return scoreCandidates(
          { on: message.type, from: message.from, facts, text, within },
          {
            ...{ prepared, limit: candidatesMax, content: content.score(text, { within }) },
            ...defined({ index }),
          },
        );
      },
      async weighLead(candidates, within) {
        // A score says less without the messages of the past, which may have been declined there, or without some texts.
        if (!settings['auto-score'] || index === undefined || !content.isComplete) return undefined;
        const tasks = await taskLeads.of(within, prepared);
        const decisions = labelledDecisions(index, within);
        return weighedLead(candidates, calibrate({ decisions, tasks }, settings.precision));
      },
    };
  }

  /** Why a rule would not match this very message, were it added; undefined if it would. */
  async whyNot(suggested: SuggestedRule, message: RoutedMessage): Promise<string | undefined> {
    const { rules, recipients } = this.#ports;
    const [page, known] = await Promise.all([rules(), recipients.known()]);
    const rule = { ...suggested, enabled: true };
    const { prepared } = this.#vocabulary(page.rules, known);
    const vocabulary = createVocabulary({ rules: [...page.rules, rule], recipients: known.recipients, prepared });
    const facts = factsOf(vocabulary, routedText(message)).map(({ fact }) => fact);
    const [reason] = whyRules([rule], { on: message.type, from: message.from, facts });
    return reason === undefined || reason.matches ? undefined : reason.because;
  }

  /** Words under `any` of messages that recorded decisions sent elsewhere, as the rule writes them. An abort rejects. */
  async contradicted(suggested: SuggestedRule, signal?: AbortSignal): Promise<readonly string[]> {
    const { rules, recipients } = this.#ports;
    const [page, known, index] = await Promise.all([rules(), recipients.known(), this.#ports.index()]);
    if (index === undefined) return [];
    const { prepared } = this.#vocabulary(page.rules, known);
    const test = createPausingBackTester(index, { rules: page.rules, recipients: known.recipients, prepared });
    const { disagreements } = await runInSlices(test({ rule: suggested }), signal);
    const facts = new Set(stemsOf(disagreements.flatMap((each) => each.facts)));
    return (suggested.any ?? []).filter((word) => stemsOf([word]).some((stem) => facts.has(stem)));
  }

  #vocabulary(rules: readonly Rule[], known: KnownRecipients): Vocabulary {
    const made = this.#made;
    if (made?.rules === rules && made.known === known) return made.vocabulary;
    const prepared = made?.known === known ? made.vocabulary.prepared : prepareRecipients(known.recipients);
    const vocabulary = createVocabulary({ rules, recipients: known.recipients, prepared });
    this.#made = { rules, known, vocabulary };
    return vocabulary;
  }
}
