import { firstLine, harmless } from '../../base/text.ts';
import type { PolicyResults, PolicyRuleRow, ToolExplanation } from '../../model/requests/policy.ts';
import { formatDiagnostics } from './diagnostics.ts';
import type { Style } from './style.ts';

const signs = { allow: '✓', ask: '?', deny: '✗' } as const;

/** Rules by layer, each with its place. */
export function formatPolicy({ rules, diagnostics }: PolicyResults['policy'], style: Style): readonly string[] {
  const broken = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => style.bad(`${message} \`ravel policy lint\` has the line.`));
  const lines = rules.map((rule) => {
    const name = rule.id === undefined ? '' : `${harmless(rule.id)}, `;
    return `${rule.action.padEnd(5)}  ${harmless(rule.text)}  ${style.faint(`${name}${placeOf(rule)}`)}`;
  });
  if (lines.length + broken.length === 0) return ['There is no rule; the built-in gates decide.'];
  return [...broken, ...lines];
}

const answers = { allow: 'allowed', ask: 'you would be asked', deny: 'refused' } as const;

/** What would be said of each use, in plain words: the answer, what decided it and where that stands, and why. */
export function formatExplanations(explained: readonly ToolExplanation[], style: Style): readonly string[] {
  return explained.flatMap(({ call, decision, gate, rule, reason }) => [
    `${signs[decision]} ${answers[decision]}: ${harmless(call)}`,
    `    ${style.faint(decidedBy(gate, rule))}`,
    ...(reason === undefined ? [] : [`    ${harmless(reason)}`]),
  ]);
}

function decidedBy(gate: string | undefined, rule: PolicyRuleRow | undefined): string {
  if (rule !== undefined) return `by the rule ${harmless(rule.id ?? rule.text)}, ${placeOf(rule)}`;
  return gate === undefined ? 'no gate has anything against it' : `by the built-in gate ${gate}`;
}

const outcomeSigns = { accept: '✓', modify: '✓', redirect: '✗', reject: '✗', 'needs-approval': '?' } as const;

/** Each verdict with its time and, if it was not simply allowed, why. */
export function formatVerdicts({ verdicts, isCut }: PolicyResults['verdicts'], style: Style): readonly string[] {
  if (verdicts.length === 0) return ['The gates on tools have said nothing of this kind.'];
  const lines = verdicts.flatMap(({ at, actor, session, gate, tool, outcome, call, rule, reason }, n) => {
    const isNew = verdicts[n - 1]?.session !== session;
    return [
      ...(isNew ? [...(n === 0 ? [] : ['']), style.strong(`${harmless(actor)}  ${session}`)] : []),
      `${outcomeSigns[outcome]} ${at}  ${harmless(call ?? tool)}  ${style.faint(gate === 'tool' ? '' : `gate ${gate}`)}`.trimEnd(),
      ...(rule === undefined ? [] : [`    rule ${harmless(rule.id ?? rule.text)}, ${placeOf(rule)}`]),
      ...(reason === undefined ? [] : [`    ${harmless(firstLine(reason))}`]),
    ];
  });
  return isCut ? [...lines, '', 'There are more; name a session, or use --refused.'] : lines;
}

/** The rules, what is left out and why, and what to do next. */
export function formatPolicyImport(
  { file, sources, suggested, left, diagnostics, isWritten }: PolicyResults['import_policy'],
  style: Style,
): readonly string[] {
  const none = sources.length === 0 ? 'There are no settings to read.' : 'There is no rule that policy.yaml lacks.';
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  const next = isWritten
    ? `Added to ${file}.`
    : isBroken
      ? 'Nothing is written until that is corrected.'
      : `Nothing is written; --write adds it to ${file}.`;
  return [
    ...(suggested === ''
      ? [none]
      : suggested
          .trimEnd()
          .split('\n')
          .map((line) => harmless(line))),
    ...(left.length === 0 ? [] : ['', style.strong('Not taken over:')]),
    ...left.flatMap((one) => [
      `  ${one.action}  ${harmless(one.text)}  ${style.faint(harmless(one.file))}`,
      `    ${harmless(one.why)}`,
    ]),
    ...(diagnostics.length === 0 ? [] : ['', ...formatDiagnostics(diagnostics, style)]),
    ...(suggested === '' ? [] : ['', next]),
  ];
}

/** The layer and the line. */
function placeOf({ layer, file, line }: Pick<PolicyRuleRow, 'layer' | 'file' | 'line'>): string {
  return `${layer}, ${harmless(line === undefined ? file : `${file}:${line}`)}`;
}
