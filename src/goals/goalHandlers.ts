import { defined } from '../base/defined.ts';
import { oneLine } from '../base/text.ts';
import type { Approval, Decision } from '../model/approval.ts';
import { failure } from '../model/codes.ts';
import { goalQuestionSchema, type NewPlans, newPlansSchema, type PlanProposal } from '../model/planProposal.ts';
import { type AcceptParts, acceptPlans, assertAddable } from './acceptPlans.ts';
import { chooseParts } from './chooseParts.ts';
import { draftProposal } from './draftProposal.ts';
import { judgePlanProposal } from './judgePlanProposal.ts';
import { loadProposalFacts } from './proposalFacts.ts';
import { describeProposal, formatProposal } from './proposalForm.ts';
import { readHandedIn } from './readHandedIn.ts';

interface GivenAnswer {
  readonly decision: string;
  readonly text?: string | undefined;
  readonly only?: readonly string[] | undefined;
}

/**
 * What decisions about goals do: proposed plans are made, and a session's questions are answered. A proposal is judged
 * again by the vault as it is at the time of the decision, whether it was edited or not.
 */
export function createGoalHandlers(parts: AcceptParts) {
  return {
    'new-plans': createNewPlansHandler(parts),
    'goal-question': {
      async describe(approval: Approval): Promise<{ readonly shown: string }> {
        const { under, goal, questions } = detailsOf(approval, goalQuestionSchema);
        const asked = questions.map((question, at) => `${at + 1}. ${question}`);
        return { shown: [`Goal for ${under}: ${goal}`, '', ...asked].join('\n') };
      },

      async check(): Promise<void> {
        // Any answer will do: a session reads it.
      },

      async carryOut(decision: Decision): Promise<{ readonly did: string }> {
        if (decision.decision === 'reject') return { did: 'Nothing is proposed.' };
        return { did: 'A new session can propose now, with your answer.' };
      },
    },
  };
}

function createNewPlansHandler(parts: AcceptParts) {
  const { services } = parts;
  return {
    async describe(approval: Approval): Promise<{ readonly shown: string; readonly form: string }> {
      const { under, proposal, goal, notes } = detailsOf(approval, newPlansSchema);
      const now = judgePlanProposal(proposal, await loadProposalFacts(services, under, 'person'));
      const all = [...new Set([...now.findings, ...notes, ...now.notes])];
      const drafts = draftProposal(under, proposal, []);
      return {
        shown: describeProposal(proposal, drafts, { under, notes: all, ...defined({ goal }) }),
        form: formatProposal(proposal),
      };
    },

    async check(approval: Approval, answer: GivenAnswer): Promise<void> {
      if (answer.decision === 'reject') return;
      const { under, proposal } = decidedOn(approval, answer);
      const { findings } = judgePlanProposal(proposal, await loadProposalFacts(services, under, 'person'));
      if (findings.length > 0) {
        throw failure('gate/refused', approval.id, `Nothing is made yet. ${findings.join(' ')}`, {
          help: `Leave that out with --only, or correct it with \`ravel approvals edit ${approval.id}\`.`,
        });
      }
      await assertAddable(services, { approval: approval.id, under, proposal });
    },

    async carryOut(decision: Decision): Promise<{ readonly did: string }> {
      if (decision.decision === 'reject') return { did: 'Nothing is made.' };
      const { under, proposal, session } = decidedOn(decision, decision);
      const author = session === undefined ? { by: 'person' as const } : { by: 'session' as const, session };
      const did = await acceptPlans(parts, { approval: decision.id, under, proposal, author });
      const rest = decision.only === undefined ? [] : ['The rest of the proposal is dropped.'];
      return { did: [did, ...rest, ...suggested(proposal)].join(' ') };
    },
  };
}

/** Experts and rules are a person's to make, so what was suggested is told once more. */
function suggested({ suggestions: { expert = '', rule = '' } = {} }: PlanProposal): string[] {
  return [
    ...(expert.trim() === '' ? [] : [`Suggested as an expert: ${sentence(expert)}`]),
    ...(rule.trim() === '' ? [] : [`Suggested as a rule: ${sentence(rule)}`]),
  ];
}

function sentence(text: string): string {
  const line = oneLine(text).trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** What was decided on: the proposal, the named parts of it, or what a person made of it. Throws `approval/badDecision`. */
function decidedOn(approval: Pick<Approval, 'id' | 'details'>, { decision, text, only }: GivenAnswer): NewPlans {
  const details = detailsOf(approval, newPlansSchema);
  if (decision === 'edit') return { ...details, proposal: parseEdited(approval.id, text ?? '') };
  if (only === undefined) return details;
  const { proposal, unknown } = chooseParts(details.under, details.proposal, only);
  if (unknown.length === 0) return { ...details, proposal };
  const names = details.proposal.plans.map(({ slug }) => slug).join(', ');
  const message = `The proposal has no plan or task ${unknown.map((one) => `"${one}"`).join(', ')}. Its plans are: ${names}.`;
  throw failure('approval/badDecision', approval.id, message, {
    help: `See \`ravel approvals show ${approval.id}\` for the ids of its tasks.`,
  });
}

function parseEdited(id: string, text: string): PlanProposal {
  const read = readHandedIn(text, 'the edited proposal');
  if ('value' in read) return read.value;
  throw failure('approval/badDecision', id, `This is not a proposal. ${read.problems.slice(0, 5).join(' ')}`);
}

function detailsOf<Value>(
  { id, details }: Pick<Approval, 'id' | 'details'>,
  schema: { safeParse(value: unknown): { readonly data?: Value | undefined } },
): Value {
  const { data } = schema.safeParse(details);
  if (data !== undefined) return data;
  throw failure('approval/badDecision', id, 'The question does not say what is proposed.');
}
