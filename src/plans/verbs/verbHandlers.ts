import type { KnowledgeVerbName, VerbArgs, VerbName } from '../../model/verbs.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

/** Verbs of only the plan's files; those of the source, of running questions and of the knowledge are the session's own. */
export type StateVerbName = Exclude<VerbName, 'source/revert' | 'message/reply' | KnowledgeVerbName>;

/** The handlers of one noun; a verb without one does not compile. */
export type VerbHandlers<Name extends StateVerbName> = {
  readonly [N in Name]: (args: VerbArgs<N>, context: VerbContext) => VerbEffect;
};

/** The verbs of one noun. */
export type VerbsOf<Noun extends string> = Extract<StateVerbName, `${Noun}/${string}`>;
