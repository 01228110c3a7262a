/** The nine phases of a plan's cycle. */
export const phases = [
  'work',
  'analyse-work',
  'git-commit-work',
  'reflect',
  'git-commit-reflect',
  'dream',
  'git-commit-dream',
  'triage',
  'git-commit-triage',
] as const;

export type Phase = (typeof phases)[number];
export type CodePhase = Extract<Phase, `git-commit-${string}`>;
/** A phase that a session (or a person) carries out. */
export type ReasoningPhase = Exclude<Phase, CodePhase>;

export const reasoningPhases: readonly ReasoningPhase[] = ['work', 'analyse-work', 'reflect', 'dream', 'triage'];

export function isPhase(text: string): text is Phase {
  return phases.some((phase) => phase === text);
}

export function isCodePhase(phase: Phase): phase is CodePhase {
  return phase.startsWith('git-commit-');
}

export function isReasoningPhase(phase: Phase): phase is ReasoningPhase {
  return !isCodePhase(phase);
}

/** A phase word as a person may type it in a command: `compact` is another name for `dream`. */
export function phaseFromWord(word: string): Phase | undefined {
  if (word === 'compact') return 'dream';
  return isPhase(word) ? word : undefined;
}

/** What follows a phase, before the question whether a dream is due is answered. */
const successors: Readonly<Record<Phase, Phase>> = {
  work: 'analyse-work',
  'analyse-work': 'git-commit-work',
  'git-commit-work': 'reflect',
  reflect: 'git-commit-reflect',
  'git-commit-reflect': 'dream',
  dream: 'git-commit-dream',
  'git-commit-dream': 'triage',
  triage: 'git-commit-triage',
  'git-commit-triage': 'work',
};

/** The transition table. `dreamDue` matters after git-commit-reflect alone: without a dream, triage follows. */
export function nextPhase(phase: Phase, dreamDue: boolean): Phase {
  if (phase === 'git-commit-reflect' && !dreamDue) return 'triage';
  return successors[phase];
}
