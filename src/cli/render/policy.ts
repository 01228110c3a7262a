import type { PolicyResults, PolicyRuleRow, ToolExplanation } from '../../model/requests/policy.ts';
import type { Style } from './style.ts';

const signs = { allow: '✓', ask: '?', deny: '✗' } as const;

/** Rules by layer, each with its place. */
export function formatPolicy(
  { rules, olderCommands, diagnostics }: PolicyResults['policy'],
  style: Style,
): readonly string[] {
  const broken = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => style.bad(`${message} \`ravel policy lint\` has the line.`));
  const lines = rules.map((rule) => `${rule.action.padEnd(5)}  ${rule.text}  ${style.faint(placeOf(rule))}`);
  const older =
    olderCommands.length === 0
      ? []
      : [
          `gates.allowed-commands in daemon.toml also allows: ${olderCommands.join(', ')}. A rule such as Bash(${olderCommands[0]} *) says so here.`,
        ];
  if (lines.length + older.length + broken.length === 0) return ['There is no rule; the built-in gates decide.'];
  return [...broken, ...lines, ...older];
}

/** What would be said of each use, with gate, rule, layer and line. */
export function formatExplanations(explained: readonly ToolExplanation[], style: Style): readonly string[] {
  return explained.flatMap(({ call, decision, gate, rule, reason }) => {
    const by = gate === undefined ? 'no gate has anything against it' : `gate ${gate}`;
    const ruled = rule === undefined ? [] : [`    rule ${rule.id ?? rule.text}, ${placeOf(rule)}`];
    return [
      `${signs[decision]} ${decision}  ${call}  ${style.faint(by)}`,
      ...ruled,
      ...(reason === undefined ? [] : [`    ${reason}`]),
    ];
  });
}

function placeOf({ layer, file, line, id }: PolicyRuleRow): string {
  const at = line === undefined ? file : `${file}:${line}`;
  return id === undefined ? `${layer}, ${at}` : `${id}, ${layer}, ${at}`;
}
