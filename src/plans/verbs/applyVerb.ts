import { assert } from '../../base/assert.ts';
import { failure } from '../../model/codes.ts';
import { toolFromVerb, type VerbName, verbs, verbsOfPhase } from '../../model/verbs.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';

/**
 * Computes what a state verb does to a plan's files.
 *
 * Throws `state/badArguments` where the arguments do not fit the verb, `state/notAllowed` where the phase does not have the
 * verb, and what the verb itself refuses. `source/revert` touches the source and is not carried out here.
 */
export function applyVerb(name: VerbName, args: unknown, context: VerbContext): VerbEffect {
  assert(name !== 'source/revert', 'source/revert is carried out by the runner');
  checkPhase(name, context);
  const parsed = verbs[name].args.safeParse(args);
  if (!parsed.success) throw badArguments(name, parsed.error.issues, context);
  throw failure('base/internal', context.subject, `The verb ${name} has no handler.`);
}

function checkPhase(name: VerbName, { phase, subject }: VerbContext): void {
  if (phase === undefined || verbs[name].phases.includes(phase)) return;
  const tools = verbsOfPhase(phase).map(toolFromVerb).join(', ');
  throw failure('state/notAllowed', subject, `The phase ${phase} does not have ${name}.`, {
    help: `Use one of the tools of this phase: ${tools}.`,
  });
}

function badArguments(
  name: VerbName,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  context: VerbContext,
) {
  const sentences = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return failure(
    'state/badArguments',
    context.subject,
    `The arguments of ${name} do not fit: ${sentences.join('; ')}.`,
  );
}
