import * as z from 'zod';
import { isRecord } from '../base/json.ts';
import type { QualifiedId, Ulid } from './id.ts';
import type { UnroutableMessage } from './routing.ts';

/** What a person can be asked. */
export const approvalKinds = [
  'merge-conflict',
  'unattributed-change',
  'tool-request',
  'needs-input',
  'dirty-source-changed',
  'branch-changed',
  'repository-hooks',
  'programs-changed',
  'rule-suggestion',
  'unroutable-message',
  'entry-deletion',
  'learned-statement',
  'contradicting-entries',
  'entry-graduation',
  'new-plans',
  'goal-question',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** Kinds that hold up no phase and belong to no plan: they stay open until a person decides. */
export const vaultApprovalKinds = [
  ...(['rule-suggestion', 'unroutable-message', 'entry-deletion'] as const),
  ...(['learned-statement', 'contradicting-entries', 'entry-graduation'] as const),
  ...(['new-plans', 'goal-question'] as const),
] as const;
export type VaultApprovalKind = (typeof vaultApprovalKinds)[number];

/** How a person can decide. */
export const decisionWords = ['accept', 'edit', 'reject'] as const;
export type DecisionWord = (typeof decisionWords)[number];

/** How a question can be answered: decided, settled by what a person did with its phase, or by a decision on another. */
export const answerWords = [...decisionWords, 'retry', 'dismiss', 'superseded'] as const;
export type AnswerWord = (typeof answerWords)[number];

/** What each answer to a question of a kind does, as whole sentences; a kind without a row does not compile. */
interface ApprovalRow {
  /** What it is about, for a reader who did not watch. */
  readonly asks: string;
  /** One sentence for each option of `accept`; if there are none, one for `accept` itself. */
  readonly accept: string | Readonly<Record<string, string>>;
  /** Absent if there is nothing to edit. */
  readonly edit?: string;
  readonly reject: string;
  /** Whether `accept` wants a text, and what it is. */
  readonly text?: string;
}

const dismissed = 'Drops the proposal of the session; a copy is kept.';
const stopped = 'Makes no commits and leaves the phase interrupted, so that you can fix the cause and then retry.';

/** What `accept` does for a command that is to run with the network open. */
const acceptedWithNetwork =
  'Allows exactly this, once, to this session or a retry of its phase, and opens the network while it runs: it can reach the internet, your local network and servers on this machine. It allows nothing else.';

export const approvalRows: Readonly<Record<ApprovalKind, ApprovalRow>> = {
  'merge-conflict': {
    asks: 'A session and you changed the same thing in different ways.',
    accept: {
      session: 'Takes the version of the session, in the conflicts only.',
      person: 'Keeps your version, in the conflicts only; the rest of the session is merged.',
    },
    edit: 'Opens both sides in your editor, for you to write the result of each conflict.',
    reject: dismissed,
  },
  'unattributed-change': {
    asks: 'Files of the plan changed while a session ran that could have changed them, and no command explains the change.',
    accept: 'Checks the files as they are, keeps them as yours, then applies the proposal of the session.',
    reject: 'Restores the files, keeps a copy of their present text, then applies the proposal of the session.',
  },
  'tool-request': {
    asks: 'A running session wants to do something that needs your permission.',
    accept: 'Allows exactly this, once, to this session or a retry of its phase. It allows nothing else.',
    reject: 'Denies it. The session continues, and gets your reason if it asks again.',
  },
  'needs-input': {
    asks: 'A session stopped because it needs to know something.',
    accept: 'Gives your answer to the next session of the phase; changes of this one to the source stay.',
    reject: dismissed,
    text: 'the answer',
  },
  'dirty-source-changed': {
    asks: 'The work changed files that already had changes of yours.',
    accept: {
      include: 'Commits all of them with this work, your own changes included.',
      'leave-out': 'Leaves all of them out of the commits; they stay as they are.',
    },
    edit: 'Opens the list in your editor, for you to choose for each file.',
    reject: stopped,
  },
  'branch-changed': {
    asks: 'The work began on a different branch from the one that is checked out now.',
    accept: 'Commits on the branch that is checked out now.',
    reject: stopped,
  },
  'repository-hooks': {
    asks: 'Running this phase would run programs that the repository contains.',
    accept: 'Allows exactly these files to run, until one of them changes.',
    reject: 'Nothing runs. The next run of the phase asks again.',
  },
  'programs-changed': {
    asks: 'Files changed that decide what git, an editor or a build server runs, and no one has accepted them yet.',
    accept: 'Accepts these files as they are now, and the plan continues.',
    reject:
      'Leaves the files as they are, and the plan does not continue; the next run asks again, unless you restore them.',
  },
  'rule-suggestion': {
    asks: 'A suggested rule would route such messages without a model.',
    accept: 'Adds the rule to routing.yaml, where it takes effect at once, and commits that.',
    edit: 'Opens the rule in your editor. Your version is checked, added to routing.yaml and committed.',
    reject: 'Leaves routing.yaml as it is; an equal rule is not suggested again.',
  },
  'unroutable-message': {
    asks: 'No plan took this message.',
    accept: 'Sends it to the plan or expert that you name.',
    reject: 'Does not deliver it. The sender gets your reason.',
    text: 'the plan or expert that receives it',
  },
  'entry-deletion': {
    asks: 'An entry of the knowledge is to be deleted for good.',
    accept: 'Deletes the file if it is still as it is shown here, and commits that. Git keeps what it said.',
    reject: 'Leaves the entry as it is.',
  },
  'learned-statement': {
    asks: 'A plan learned something, and experts disagree about it, or you wanted to see it first.',
    accept: 'Offers it to the experts; if they disagreed, adds it to the knowledge as those say that took it.',
    reject: 'Leaves it out of the knowledge. The memory of the plan keeps it.',
  },
  'contradicting-entries': {
    asks: 'A new entry contradicts an older one, and its evidence is as good.',
    accept: 'Marks the older entry as superseded by the newer one, and links both.',
    reject: 'Leaves both as they are: both stand, and say of each other that they contradict.',
  },
  'entry-graduation': {
    asks: 'What an entry says was proven in several projects.',
    accept: 'Makes the entry consolidated, with high confidence.',
    reject: 'Leaves the entry staged, with medium confidence.',
  },
  'new-plans': {
    asks: 'Plans and tasks are proposed. Nothing is written before you accept.',
    accept: 'Makes all of it, or only the plans and tasks that you choose.',
    edit: 'Opens the whole proposal in your editor: leave out, change or add what you like. It is checked again, then made.',
    reject: 'Makes nothing.',
  },
  'goal-question': {
    asks: 'A session that is to propose plans needs to know something first.',
    accept: 'Gives your answer to a new session, which then proposes.',
    reject: 'Proposes nothing.',
    text: 'the answer',
  },
};

const id = z.string().transform((text) => text as Ulid);

const approvalFields = z.looseObject({
  id,
  createdAt: z.string(),
  /** Of everything that a person sees; a decision holds for that and for nothing else. */
  contentHash: z.string(),
  kind: z.enum(approvalKinds),
  /** Whose phase waits; absent for an approval of the vault, as is the session. */
  plan: z
    .string()
    .transform((text) => text as QualifiedId)
    .optional(),
  session: id.optional(),
  /** One line: what is asked. */
  subject: z.string(),
  /** What `accept` can choose between; empty if there is no choice. */
  options: z.array(z.string()),
  /** Everything that a person needs to decide: both sides of a conflict, the command that was asked for. */
  details: z.unknown(),
  /** Until when a person wants not to be asked; it waits unchanged, and can be decided before. */
  deferredUntil: z.string().optional(),
});

/** A file of `runtime/approvals/`: a question for a person. */
export const approvalSchema = approvalFields.refine(isWhole, 'it names no plan or no session');
export type Approval = z.infer<typeof approvalSchema>;

/** Which was asked first: by time, and within the same second by id, because ids alone do not tell the order. */
export function compareAge(one: Pick<Approval, 'createdAt' | 'id'>, other: Pick<Approval, 'createdAt' | 'id'>): number {
  const [a, b] = one.createdAt === other.createdAt ? [one.id, other.id] : [one.createdAt, other.createdAt];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a person wants not to be asked yet. */
export function isDeferred({ deferredUntil }: Pick<Approval, 'deferredUntil'>, nowMs: number): boolean {
  return deferredUntil !== undefined && Date.parse(deferredUntil) > nowMs;
}

/** A question of a phase. */
export type PhaseApproval = Approval & { readonly plan: QualifiedId; readonly session: Ulid };

export function isVaultApproval(kind: ApprovalKind): kind is VaultApprovalKind {
  return vaultApprovalKinds.some((known) => known === kind);
}

function isWhole({ kind, plan, session }: z.infer<typeof approvalFields>): boolean {
  return isVaultApproval(kind) || (plan !== undefined && session !== undefined);
}

/** A file of `decisions/`: who answered what, when, how and why, with everything that was seen then. */
export const decisionSchema = approvalFields
  .extend({
    decision: z.enum(answerWords),
    by: z.string(),
    at: z.string(),
    option: z.string().optional(),
    text: z.string().optional(),
    reason: z.string().optional(),
    /** The person accepted despite the objections. */
    override: z.boolean().optional(),
    /** The parts that were accepted, if not all were. */
    only: z.array(z.string()).optional(),
  })
  .refine(isWhole, 'it names no plan or no session');
export type Decision = z.infer<typeof decisionSchema>;

/** What can be chosen when a question of this kind and content is accepted. */
export function optionsOf(kind: ApprovalKind, details: unknown): readonly string[] {
  const { accept } = approvalRows[kind];
  if (kind === 'unroutable-message') return (details as UnroutableMessage).candidates.map(({ recipient }) => recipient);
  if (typeof accept === 'string') return [];
  // What fits on neither side cannot be settled by taking one of them.
  if (kind === 'merge-conflict' && isRecord(details) && Object.hasOwn(details, 'findings')) return [];
  return Object.keys(accept);
}

/** Whether a tool request is about a command that runs with the network open once it is accepted. */
export function opensNetwork(details: unknown): boolean {
  return isRecord(details) && details['network'] === 'open';
}

/** What `accept` does to a question of this kind and content; see `approvalRows`. */
export function acceptOf(kind: ApprovalKind, details: unknown): string | Readonly<Record<string, string>> {
  return kind === 'tool-request' && opensNetwork(details) ? acceptedWithNetwork : approvalRows[kind].accept;
}

/** The decisions that a question of this kind and content can be answered with. */
export function decisionsFor({ kind, options }: Pick<Approval, 'kind' | 'options'>): readonly DecisionWord[] {
  const { accept, edit } = approvalRows[kind];
  const canAccept = typeof accept === 'string' || options.length > 0;
  return decisionWords.filter((word) => word === 'reject' || (canAccept && (word === 'accept' || edit !== undefined)));
}
