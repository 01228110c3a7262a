import { type PolicyAction, policyActions } from '../../model/policy.ts';
import { judgedTools, parseRuleString, ruleForTool } from './ruleString.ts';

/** A rule of another program's settings. */
export interface ForeignRule {
  readonly action: PolicyAction;
  readonly text: string;
}

/** A rule that cannot be taken over as it is, and why, as a sentence. */
export interface LeftRule extends ForeignRule {
  readonly why: string;
}

export interface TakenRules {
  readonly taken: readonly ForeignRule[];
  readonly left: readonly LeftRule[];
}

/**
 * The rules of Claude Code's `permissions` as rules of a policy, and those that would not mean the same. `isOfUser` are
 * settings of the home folder, whose paths with one slash start there and not at a project.
 */
export function takeOver(rules: readonly ForeignRule[], isOfUser: boolean): TakenRules {
  const taken: ForeignRule[] = [];
  const left: LeftRule[] = [];
  for (const { action, text: given } of rules) {
    const text = ruleForTool(given) ?? given.trim();
    const why = reasonAgainst({ action, text }, isOfUser);
    if (why !== undefined) left.push({ action, text: given, why });
    else if (!taken.some((one) => one.action === action && one.text === text)) taken.push({ action, text });
  }
  const order = (one: ForeignRule) => policyActions.indexOf(one.action);
  return { taken: taken.sort((one, other) => order(one) - order(other)), left };
}

function reasonAgainst({ action, text }: ForeignRule, isOfUser: boolean): string | undefined {
  const parsed = parseRuleString(text);
  if (typeof parsed === 'string') return parsed;
  const { tool, subject } = parsed;
  if (subject.kind === 'path' && subject.root === 'project' && isOfUser && subject.pattern.startsWith('/'))
    return 'Its path starts at the folder of those settings; write it with “~/” or “//”.';
  if (action !== 'allow') return undefined;
  if (tool.includes('*')) return 'It allows tools by a pattern; name what you want to allow.';
  if (!judgedTools.has(tool)) return `No session has the tool ${tool}.`;
  if (tool !== 'Bash') return undefined;
  if (subject.kind === 'tool') return 'It allows every command without a question; write it yourself if you want that.';
  const isOpen = subject.kind === 'command' && subject.pattern.literals.length === 0;
  return isOpen ? 'It allows commands of any program; name the program.' : undefined;
}
