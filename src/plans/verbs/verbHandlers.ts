import type { VerbArgs, VerbName } from '../../model/verbs.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

/** Verbs that change only the plan's files; those of the source and of running questions are the session's own. */
export type StateVerbName = Exclude<VerbName, 'source/revert' | 'message/reply'>;

/** The handlers of one noun; a verb without one does not compile. */
export type VerbHandlers<Name extends StateVerbName> = {
  readonly [N in Name]: (args: VerbArgs<N>, context: VerbContext) => VerbEffect;
};

/** The verbs of one noun. */
export type VerbsOf<Noun extends string> = Extract<StateVerbName, `${Noun}/${string}`>;
