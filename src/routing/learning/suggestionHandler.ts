import * as z from 'zod';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import type { SerialQueue } from '../../base/semaphore.ts';
import { firstLine, oneLine, plural } from '../../base/text.ts';
import type { Git } from '../../git/git.ts';
import { commitOwnPaths } from '../../git/vaultRepository.ts';
import type { Approval, Decision } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { commitTitleLengthMax } from '../../model/commitTitle.ts';
import { suggestedRuleSchema } from '../../model/requests/routing.ts';
import type { Suggestion } from '../../model/routing.ts';
import { readYaml } from '../../yaml/yaml.ts';
import { formatRule, putRule, ruleFields } from '../rules/ruleFile.ts';
import type { RuleStore } from '../rules/ruleStore.ts';
import { formatBackTest } from './formatBackTest.ts';
import { assertAcceptable } from './objections.ts';
import { suggestionOf } from './suggestionDetails.ts';
import { describeFacts, type Suggestions } from './suggestions.ts';

export interface SuggestionHandlerParts {
  readonly suggestions: Suggestions;
  readonly ruleStore: RuleStore;
  readonly git: Git;
  /** Folder of the vault, which is a repository of its own. */
  readonly root: string;
  readonly vaultCommits: SerialQueue;
  /** Whether what a person approved is committed (`vault.commit`). */
  readonly isCommitted: () => boolean;
  readonly onDiagnostic: (problem: Diagnostic) => void;
}

interface GivenAnswer {
  readonly decision: string;
  readonly text?: string | undefined;
  readonly override?: boolean | undefined;
}

/**
 * What a decision about a suggested rule does: an accepted one is put into `routing.yaml` and committed with its
 * reason, a rejected one is not suggested again. It is checked against the history at the time of the decision. Every
 * step recognises its own traces, so that all of them can be repeated after a crash.
 */
export function createSuggestionHandler(parts: SuggestionHandlerParts) {
  return {
    async describe(approval: Approval): Promise<{ readonly shown: string; readonly form: string }> {
      const { rule } = suggestionOf(approval);
      const tested = await parts.suggestions.test(approval);
      return { shown: formatBackTest(tested), form: formatRule(ruleFields(rule, rule.id)) };
    },

    async check(approval: Approval, answer: GivenAnswer): Promise<void> {
      if (answer.decision === 'reject') return;
      const suggestion = decidedOn(approval, answer);
      const { objections } = await parts.suggestions.test(approval, suggestion.rule);
      assertAcceptable(approval.id, objections, answer.override === true);
      // What the file would not take is not decided: it could not be carried out.
      const { text } = await parts.ruleStore.page();
      putRule(text, newRule(suggestion, { id: approval.id, by: '', at: '' }), parts.ruleStore.file);
    },

    async carryOut(decision: Decision): Promise<{ readonly did: string }> {
      const { suggestions, ruleStore } = parts;
      if (decision.decision === 'reject') {
        await suggestions.recordRejected(suggestionOf(decision), decision.id);
        return { did: 'The rule is not suggested again.' };
      }
      const suggestion = decidedOn(decision, decision);
      const { id } = await ruleStore.put(newRule(suggestion, decision));
      await commit(parts, suggestion, decision);
      await suggestions.recordAccepted(suggestion.rule, id, decision.id);
      return { did: `The rule "${id}" is in routing.yaml and decides from now on.` };
    },
  };
}

/** What was decided on: the suggestion, or what a person made of it. Throws `approval/badDecision`. */
function decidedOn(approval: Pick<Approval, 'id' | 'details'>, { decision, text }: GivenAnswer): Suggestion {
  const suggestion = suggestionOf(approval);
  if (decision !== 'edit') return suggestion;
  return { ...suggestion, rule: parseEdited(approval.id, text ?? '') };
}

/** A rule, or a list of one, as it stands in `routing.yaml`; what is wrong is told of the rule itself. */
const editedSchema = z.preprocess(
  (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value),
  suggestedRuleSchema,
);

function parseEdited(subject: string, text: string): Suggestion['rule'] {
  const { value, diagnostics } = readYaml(editedSchema, text, { file: 'the edited rule', subject });
  if (value !== undefined) return value;
  const why = diagnostics.map(({ message }) => message).join(' ');
  throw failure('approval/badDecision', subject, `This is not a rule. ${why}`, {
    help: 'Give one rule as YAML, with an id, a target, and the facts that it looks for under `all` or `any`.',
  });
}

function newRule({ rule, replaces }: Suggestion, { id, by, at }: Pick<Decision, 'id' | 'by' | 'at'>) {
  return { rule, replaces, origin: { by, at, suggestion: id } };
}

/** `routing.yaml` alone; a commit that fails takes nothing back. If it is committed already, nothing is. */
async function commit(
  { git, root, vaultCommits, isCommitted, onDiagnostic }: SuggestionHandlerParts,
  suggestion: Suggestion,
  decision: Decision,
): Promise<void> {
  if (!isCommitted()) return;
  try {
    await vaultCommits.run(() => commitOwnPaths(git, root, ['routing.yaml'], commitMessage(suggestion, decision)));
  } catch (error) {
    if (!isRavelError(error)) throw error;
    onDiagnostic({ ...error.diagnostic, severity: 'warning' });
  }
}

/** What the rule is for, why it was suggested and on what, and who accepted it. */
function commitMessage({ rule, reason, by, messages }: Suggestion, decision: Decision): string {
  const wanted = oneLine(`Route ${describeFacts(rule)} to ${rule.target}`);
  const title = wanted.length <= commitTitleLengthMax ? wanted : `${wanted.slice(0, commitTitleLengthMax - 1)}…`;
  const from = by === 'history' ? 'Seen in the history' : 'Suggested by a routing session';
  const on = messages.length === 0 ? '' : `, on ${plural(messages.length, 'message')} (the last: ${messages.at(-1)})`;
  const why = decision.reason === undefined ? '' : `\n${decision.by}: ${firstLine(decision.reason)}`;
  const against = decision.override === true ? ' despite the objections' : '';
  return `${title}\n\n${oneLine(reason)}\n\n${from}${on}.\nAccepted by ${decision.by}${against} (${decision.id}).${why}`;
}
