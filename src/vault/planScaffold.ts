import type { RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { descriptionProblem, planFiles } from '../model/plan.ts';
import { formatYaml } from '../yaml/yaml.ts';
import { formatPhase } from './planStore.ts';
import type { Scaffold } from './scaffold.ts';

/** The files of a new plan; the marker comes last, so that a half-made plan does not count as one. */
export function planScaffold(name: string, description: string): Scaffold {
  const frontmatter = formatYaml({
    'schema-version': 1,
    description: description.trim(),
    tags: ['ravel-plan'],
  });
  const body = `# ${name}\n\nThis text is yours: Ravel reads only the lines between the dashes.\n`;
  return new Map([
    [planFiles.phase, formatPhase('work')],
    [planFiles.backlog, 'tasks: []\n'],
    [planFiles.memory, 'entries: []\n'],
    [planFiles.sessionLog, 'sessions: []\n'],
    [planFiles.dreamWordCount, '0\n'],
    [planFiles.marker, `---\n${frontmatter}---\n\n${body}`],
  ]);
}

/** The error for a description that invariant 7 forbids, or undefined. */
export function descriptionError(subject: string, description: string): RavelError | undefined {
  const problem = descriptionProblem(description);
  return problem === undefined
    ? undefined
    : failure('plan/badDescription', subject, `Bad description of ${subject}: ${problem}.`);
}
