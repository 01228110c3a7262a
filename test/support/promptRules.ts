import { phases, type ReasoningPhase, reasoningPhases } from '../../src/model/phase.ts';
import { finishOutcomes, finishTool } from '../../src/model/sessionTools.ts';
import { taskStatuses } from '../../src/model/taskStatus.ts';
import { toolFromVerb, verbFromTool, verbsOfPhase } from '../../src/model/verbs.ts';
import { lineOf } from './sourceText.ts';

/** The prompts of consultations, below `prompts/`, and where the tools of those that are asked with them stand. */
export const consultationPrompts: Readonly<Record<string, string>> = {
  'answer.md': 'src/plans/messages/askPlan.ts',
  'expert.md': 'src/experts/expertTools.ts',
  'horizon.md': 'src/experts/horizon.ts',
  'plan.md': 'src/goals/goalTools.ts',
  'routing/facts.md': 'src/routing/sessions/modelFacts.ts',
  'routing/plan.md': 'src/routing/sessions/checkSession.ts',
  'routing/project.md': 'src/routing/sessions/routeSessionTools.ts',
  'routing/vault.md': 'src/routing/sessions/routeSessionTools.ts',
};

/** The names of the tools that a source file offers to a consultation. */
export function consultationTools(source: string): string[] {
  return [...source.matchAll(/(?:\btool\(\s*|\bname: )'([a-z_]+)',\s*(?:'|description:)/g)].map(
    ([, name = '']) => name,
  );
}

/** What a prompt of a consultation says in backquotes that looks like a tool and is none of its own. */
export function foreignTools(file: string, text: string, tools: readonly string[]): string[] {
  return [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].flatMap(({ 1: name = '', index }) =>
    tools.includes(name) ? [] : [`prompts/${file}:${lineOf(text, index)}: \`${name}\` is none of its tools`],
  );
}

/** Tools that stand in a text as bare words, where a session may take them for anything. */
export function bareTools(file: string, text: string, tools: readonly string[]): string[] {
  return [...text.matchAll(/(?<![`\w])[a-z]+(?:_[a-z]+)+(?![`\w])/g)].flatMap(({ 0: name, index }) =>
    tools.includes(name) ? [`prompts/${file}:${lineOf(text, index)}: ${name} stands without backquotes`] : [],
  );
}

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

/** Tools that the prompt does not mention; a session can hardly use well what it was not told of. */
export function unmentionedTools(tools: readonly string[], text: string): string[] {
  return tools.filter((tool) => !text.includes(`\`${tool}\``));
}

export function toolsOfPrompt(phase: ReasoningPhase): string[] {
  return [...verbsOfPhase(phase).map(toolFromVerb), finishTool];
}

function nameProblem(name: string, readers: readonly ReasoningPhase[]): string | undefined {
  if (words.includes(name)) return undefined;
  const verb = verbFromTool(name);
  if (verb === undefined) return /^[a-z]+(_[a-z]+)+$|^git-commit-/.test(name) ? 'does not exist' : undefined;
  const without = readers.filter((phase) => !verbsOfPhase(phase).includes(verb));
  return without.length === 0 ? undefined : `is no tool of ${without.join(', ')}`;
}
