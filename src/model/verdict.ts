import type { ApprovalKind } from './approval.ts';
import type { DreamMap } from './memory.ts';
import type { ReasoningPhase } from './phase.ts';
import type { PlanFile, PlanTexts } from './plan.ts';
import type { RequestPolicy } from './policy.ts';
import type { ClaimVerdict } from './session.ts';
import type { SessionPurpose } from './sessionPurpose.ts';
import type { FinishOutcome, PermitArgs } from './sessionTools.ts';
import type { Settings } from './settings.ts';
import type { StoredValues } from './storedValues.ts';

/** What a gate says of a proposal: data, with a reason a session (or a person) can act on. */
export type Verdict =
  | { readonly outcome: 'accept'; readonly notes?: readonly string[] }
  /** Accept with these claim verdicts written into the session record. */
  | {
      readonly outcome: 'modify';
      readonly reason: string;
      readonly claimVerdicts: Readonly<Record<string, ClaimVerdict>>;
    }
  | {
      readonly outcome: 'reject';
      readonly reason: string;
      /** One line for each violation. */
      readonly findings: readonly string[];
      /** Whether the session can fix it and finish again. */
      readonly retryable: boolean;
    }
  | { readonly outcome: 'needs-approval'; readonly kind: ApprovalKind; readonly reason: string };

/** Facts about the project that code gathered; gates themselves touch nothing outside their arguments. */
export interface ProposalFacts {
  /** Unified diff of the source since the work baseline, untracked files included. */
  readonly diff: string;
  /** Paths of the project (relative, `/`) that exist and are regular files, among those that evidence names. */
  readonly existingFiles: ReadonlySet<string>;
  /** Commits (full hashes) since the work baseline. */
  readonly commits: readonly string[];
  /** Commands of the work session with their exit codes. */
  readonly commands: readonly { readonly command: string; readonly exitCode: number }[];
  /** Paths that the tree snapshot names as changed. */
  readonly changedPaths: readonly string[];
  /** Paths that had changes of a person before the work began: what they hold is not the session's doing. */
  readonly dirtyBefore?: readonly string[];
  /** Ids of texts that look like secrets but are not, as a person said in the settings. */
  readonly allowedSecrets?: readonly string[];
  /** Finds the values of secrets that the person keeps. */
  readonly storedSecrets?: StoredValues | undefined;
}

/**
 * A YAML file of the plan as its parser saw it. `value` is the plain value whether or not it fits the file's schema,
 * undefined if the text does not parse; `problems` are the parser's complaints (syntax, encoding, anchors), one sentence
 * each. The schema gate checks the schema itself.
 */
export interface ParsedFile {
  readonly value: unknown;
  readonly problems: readonly string[];
}

/** Only YAML files that are there have an entry. */
export type PlanValues = ReadonlyMap<PlanFile, ParsedFile>;

/** What a session wants to become of the plan's files. `base` is what it was given. */
export interface Proposal {
  readonly phase: ReasoningPhase;
  readonly outcome: FinishOutcome;
  readonly summary: string;
  readonly base: PlanTexts;
  readonly proposed: PlanTexts;
  /** `base` and `proposed`, parsed by the caller: gates parse nothing. */
  readonly baseValues: PlanValues;
  readonly proposedValues: PlanValues;
  /** The task that a work session was given. */
  readonly task?: string;
  /** Verbs the session used, in order. */
  readonly verbsUsed: readonly { readonly verb: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** Paths inside the plan's folder that changed during the session without a verb. */
  readonly unattributed: readonly string[];
  readonly dreamMap: DreamMap;
  readonly facts: ProposalFacts;
}

/** One question of a harness, with what the tool gate needs to know about the place. */
export interface ToolRequest {
  /** What the session is for; it decides which tools it has. */
  readonly purpose: SessionPurpose;
  /**
   * Whether a sandbox around the session's commands was tried and held. Questions that a sandbox answers are not asked
   * then.
   */
  readonly confinement: 'confined' | 'unconfined';
  /** What that sandbox makes of the network: it has none, a person opens it for one command, or it is open. None if absent. */
  readonly network?: Settings['sandbox']['network'];
  /**
   * Absolute, with symlinks resolved. A consultation without a project names the empty folder in which it runs, and a
   * `ravel` below it.
   */
  readonly projectDirectory: string;
  /** The project's `ravel/` folder, absolute, with symlinks resolved. */
  readonly ravelDirectory: string;
  /**
   * Where the session runs, absolute: relative paths start there, and it may read there. Without it that is the project.
   */
  readonly workingDirectory?: string;
  /** Resolves a path that the tool names: absolute, symlinks resolved as far as it exists. */
  readonly resolvePath: (path: string) => string;
  /**
   * The files below an absolute folder whose paths say that a session must not read them unasked (`secretPart`);
   * `tooMany` if the folder cannot be searched to the end.
   */
  readonly secretFilesBelow: (folder: string) => readonly string[] | 'tooMany';
  readonly request: PermitArgs;
  /** The rules of `policy.yaml` as they hold for this session; none if absent. */
  readonly policy?: RequestPolicy;
  /** Why the policy cannot be used, as a sentence: then nothing is allowed. */
  readonly policyProblem?: string;
  /** Finds the values of secrets that the person keeps; none if absent. */
  readonly storedSecrets?: StoredValues;
  /** Why those values are not known, as a sentence: then nothing is allowed. */
  readonly secretsProblem?: string;
  /** Files that decide what sessions can do, wherever they lie: no session changes them. Absolute, links resolved. */
  readonly policyFiles?: readonly string[];
  /** Variables that commands are given from outside, as `environment.pass` names them. None if absent. */
  readonly passedVariables?: readonly string[];
}
