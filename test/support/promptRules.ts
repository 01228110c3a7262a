import { phases, type ReasoningPhase, reasoningPhases } from '../../src/model/phase.ts';
import { taskStatuses } from '../../src/model/taskStatus.ts';
import { finishOutcomes, finishTool, toolFromVerb, verbFromTool, verbsOfPhase } from '../../src/model/verbs.ts';
import { lineOf } from './sourceText.ts';

/** What a prompt file may say in backquotes: `system.md` is read in every phase, so it may name only what all have. */
function promptPhases(file: string): readonly ReasoningPhase[] {
  const name = file.replace(/\.md$/, '');
  return reasoningPhases.filter((phase) => phase === name || name === 'system');
}

const words: readonly string[] = [...taskStatuses, ...phases, ...finishOutcomes, finishTool];

/**
 * Names in backquotes that look like a tool (`some_tool`) or a code phase but are none, and tools that a phase which
 * reads this prompt does not have.
 */
export function promptProblems(file: string, text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: name = '', index }) => {
    const problem = nameProblem(name, promptPhases(file));
    return problem === undefined ? [] : [`prompts/${file}:${lineOf(text, index)}: \`${name}\` ${problem}`];
  });
}

/** Tools of a phase that its prompt does not mention; a session can hardly use well what nobody told it of. */
export function unmentionedTools(phase: ReasoningPhase, text: string): string[] {
  const tools = [...verbsOfPhase(phase).map(toolFromVerb), finishTool];
  return tools.filter((tool) => !text.includes(`\`${tool}\``));
}

function nameProblem(name: string, readers: readonly ReasoningPhase[]): string | undefined {
  if (words.includes(name)) return undefined;
  const verb = verbFromTool(name);
  if (verb === undefined) return /^[a-z]+(_[a-z]+)+$|^git-commit-/.test(name) ? 'does not exist' : undefined;
  const without = readers.filter((phase) => !verbsOfPhase(phase).includes(verb));
  return without.length === 0 ? undefined : `is no tool of ${without.join(', ')}`;
}
