import { describeTool, permitDescription } from '../../harness/toolAnswers.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import { finishArgsSchema, finishTool } from '../../model/sessionTools.ts';
import type { ExecutorName } from '../../model/settings.ts';
import { toolFromVerb, verbs, verbsOfPhase } from '../../model/verbs.ts';

/** The tools that a session of this phase is offered: its verbs, `finish_phase`, and `permit` unless it is a person. */
export function toolsOfPhase(phase: ReasoningPhase, harness: ExecutorName): ToolDescription[] {
  const tools = verbsOfPhase(phase).map((name) => {
    const { summary: description, args } = verbs[name];
    return describeTool({ name: toolFromVerb(name), description, args });
  });
  const finish = describeTool({
    name: finishTool,
    description:
      'End the phase. Answers whether it was accepted; if it was refused, fix what the findings name and call it again.',
    args: finishArgsSchema,
  });
  return [...tools, finish, ...(harness === 'person' ? [] : [permitDescription])];
}

/** What a person may do to the files of this phase: the verbs that change them, told as a session is told of its tools. */
export function changesOfPhase(phase: ReasoningPhase): ToolDescription[] {
  const changing = new Set<string>(
    verbsOfPhase(phase)
      .filter((name) => !('reads' in verbs[name] || 'sessionOnly' in verbs[name]))
      .map(toolFromVerb),
  );
  return toolsOfPhase(phase, 'person').filter(({ name }) => changing.has(name));
}
