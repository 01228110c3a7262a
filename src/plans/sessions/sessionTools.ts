import { describeTool } from '../../harness/toolAnswers.ts';
import type { ReasoningPhase } from '../../model/phase.ts';
import type { ToolDescription } from '../../model/requests/sessions.ts';
import {
  finishArgsSchema,
  finishTool,
  permitArgsSchema,
  permitTool,
  toolFromVerb,
  verbs,
  verbsOfPhase,
} from '../../model/verbs.ts';

/** The tools that a session of this phase is offered: its verbs, `finish_phase`, and `permit` where it can write. */
export function toolsOfPhase(phase: ReasoningPhase, writes: boolean): ToolDescription[] {
  const tools = verbsOfPhase(phase).map((name) => {
    const { summary: description, args } = verbs[name];
    return describeTool({ name: toolFromVerb(name), description, args });
  });
  const finish = describeTool({
    name: finishTool,
    description:
      'End the phase. Answers whether it was accepted; when it was refused, mend what the findings name and call again.',
    args: finishArgsSchema,
  });
  const permit = describeTool({
    name: permitTool,
    description: 'Asks whether a tool may be used; called by the harness itself.',
    args: permitArgsSchema,
  });
  return [...tools, finish, ...(writes ? [permit] : [])];
}

/** What a person may do to the files of this phase: the verbs that change them, told as a session is told of its tools. */
export function changesOfPhase(phase: ReasoningPhase): ToolDescription[] {
  const changing = new Set<string>(
    verbsOfPhase(phase)
      .filter((name) => !('reads' in verbs[name] || 'sessionOnly' in verbs[name]))
      .map(toolFromVerb),
  );
  return toolsOfPhase(phase, false).filter(({ name }) => changing.has(name));
}
