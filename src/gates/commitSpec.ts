import { planFiles } from '../model/plan.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { messageProblems } from './commitTitle.ts';
import { commitPathProblem, covers, isPlanPath } from './pathspec.ts';
import { isObject, listOf, recordsOf, textOf, textsOf, topLevel, verdictOf } from './records.ts';

/**
 * The commit specification of analyse-work can be carried out, says what it does, and leaves no changed path out that the
 * session record does not name. Without a specification there is one commit of everything, which needs no check.
 */
export function judgeCommitSpec(proposal: Proposal): Verdict {
  const { phase, base, proposed, baseValues, proposedValues } = proposal;
  const file = planFiles.commits;
  if (phase !== 'analyse-work' || proposed.get(file) === base.get(file)) return { outcome: 'accept' };
  const entries = listOf(proposedValues, file, 'commits').filter(isObject);
  if (entries.length === 0) return { outcome: 'accept' };
  const values = [baseValues, proposedValues];
  const ids = new Set(values.flatMap((value) => recordsOf(value, planFiles.backlog, 'tasks').map(({ id }) => id)));
  const findings = entries.flatMap((entry, index) => {
    const paths = textsOf(entry['paths']).flatMap((spec) => {
      const problem = commitPathProblem(spec);
      return problem === undefined ? [] : [`the path "${spec}" cannot be committed: ${problem}`];
    });
    const problems = [...messageProblems(textOf(entry['message']), ids), ...paths];
    return problems.map((problem) => `Commit ${index + 1}: ${problem}.`);
  });
  const specs = entries.map((entry) => textsOf(entry['paths']));
  return verdictOf('The commit specification cannot be carried out as it is.', [
    ...findings,
    ...uncovered(specs, proposal),
  ]);
}

function uncovered(specs: readonly (readonly string[])[], { facts, proposedValues }: Proposal): string[] {
  const record = textOf(topLevel(proposedValues, planFiles.latestSession)['body']);
  return facts.changedPaths
    .filter((path) => !isPlanPath(path) && !specs.some((spec) => covers(spec, path)) && !names(record, path))
    .map((path) => `"${path}" changed, but no commit covers it and the session record does not name it.`);
}

/** Whether a text names a path, and not merely a longer one that holds it. */
function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + path.length);
    if (!/[\w./-]/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}
