import { localTime } from '../../base/localTime.ts';
import { formatCount, harmless, oneLine, plural } from '../../base/text.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { RuleRow, SuggestionRow } from '../../model/requests/routing.ts';
import { backTestSentence, ruleSentence } from '../../model/ruleText.ts';
import { formatDiagnostics } from './diagnostics.ts';
import type { TextLayout } from './style.ts';
import { formatTable } from './table.ts';
import { clip, wrap } from './text.ts';

/** Every suggestion with what it would have done; those of a group below each other. */
export function formatSuggestions(rows: readonly SuggestionRow[], { style, columns }: TextLayout): string[] {
  const [first] = rows;
  if (first === undefined) {
    return [
      'No rule is suggested.',
      ...wrap('`ravel rules propose` looks for some in the history; `ravel rules` lists the existing rules.', columns),
    ];
  }
  const groups = [...new Set(rows.map(({ group }) => group))];
  return [
    style.strong(`${plural(rows.length, 'suggested rule')} for you`),
    ...groups.flatMap((group) => [
      '',
      ...rows.filter((row) => row.group === group).flatMap((row) => formatRow(row, { style, columns })),
    ]),
    '',
    `Look at one with \`ravel suggestions show ${first.approval}\`; an id can be shortened.`,
  ];
}

function formatRow(
  { approval, suggestion, backTest, objections }: SuggestionRow,
  { style, columns }: TextLayout,
): string[] {
  const { matched, agreed, disagreed } = backTest;
  const elsewhere = disagreed === 0 ? 'none went elsewhere' : `${formatCount(disagreed)} went elsewhere`;
  const held = `would have matched ${plural(matched, 'message')}: ${formatCount(agreed)} went there, ${elsewhere}`;
  const [objection] = objections;
  return [
    clip(`${approval}  ${ruleSentence(suggestion.rule)}`, columns),
    `  ${clip(held, columns - 2)}`,
    ...(objection === undefined ? [] : [`  ${style.notice('!')} ${clip(objection, columns - 4)}`]),
  ];
}

/** Lines of `routing.yaml` that are shown before and after a new rule. */
const contextLines = 3;

/** One suggestion: where its rule would stand, why, what it would have done, and what speaks against it. */
export function formatSuggestion(
  row: SuggestionRow,
  file: { readonly path: string; readonly text: string },
  screen: TextLayout,
): string[] {
  const { style, columns } = screen;
  const { approval, suggestion, backTest, objections, createdAt } = row;
  const from = suggestion.by === 'history' ? 'seen in the history' : 'suggested by a routing session';
  return [
    `${style.strong(ruleSentence(suggestion.rule))}  ${approval}`,
    style.faint(`${from}, ${localTime(createdAt)}`),
    '',
    ...wrap(harmless(suggestion.reason), columns),
    '',
    style.strong(`In ${file.path}`),
    ...formatInPlace(row, file.text, screen),
    '',
    style.strong('Tested on past decisions'),
    ...formatBackTest(backTest, screen),
    ...(objections.length === 0 ? [] : ['', style.strong('Objections')]),
    ...objections.flatMap((objection) => {
      const [first = '', ...more] = wrap(objection, columns - 2);
      return [`${style.notice('!')} ${first}`, ...more.map((line) => `  ${line}`)];
    }),
    '',
    style.strong('Your answers'),
    `  ${style.accent(`ravel suggestions accept ${approval}${objections.length === 0 ? '' : ' --override'}`)}`,
    `  ${style.accent(`ravel suggestions edit ${approval}`)}`,
    `  ${style.accent(`ravel suggestions reject ${approval} --reason TEXT`)}`,
  ];
}

/** The rule between the lines that would stand round it. */
function formatInPlace(
  { place, yaml, suggestion }: SuggestionRow,
  text: string,
  { style, columns }: TextLayout,
): string[] {
  const lines = harmless(text).trimEnd().split('\n');
  const at = Math.min(place.line, lines.length);
  const number = (line: number) => style.faint(String(line + 1).padStart(5));
  const show = (line: string, index: number) => `${number(index)}   ${clip(line, columns - 8)}`;
  const start = Math.max(0, at - contextLines);
  return [
    ...(suggestion.replaces === undefined ? [] : [style.faint(`        It replaces "${suggestion.replaces}".`)]),
    ...lines.slice(start, at).map((line, index) => show(line, start + index)),
    ...harmless(yaml)
      .trimEnd()
      .split('\n')
      .map((line) => style.good(`      + ${clip(line, columns - 8)}`)),
    ...lines.slice(at, at + contextLines).map((line, index) => show(line, at + index)),
  ];
}

function formatBackTest(test: SuggestionRow['backTest'], { style, columns }: TextLayout): string[] {
  const { disagreements } = test;
  return [
    ...wrap(backTestSentence(test), columns),
    ...(disagreements.length === 0 ? [] : ['']),
    ...(disagreements.length === 0
      ? []
      : formatTable(
          ['at', 'went to', 'what it said'],
          disagreements.map(({ at, to, excerpt }) => [at, to, oneLine(excerpt)]),
          style,
          columns,
        )),
  ];
}

/** The rules that there are, with how often each decided; then what is wrong or doubtful. */
export function formatRules(
  { rules, diagnostics, file }: RequestResults['rules'],
  { style, columns }: TextLayout,
): string[] {
  const row = ({ id, fired, lastAt, enabled, ...rule }: RuleRow) => [
    id,
    enabled ? formatCount(fired) : 'off',
    lastAt === undefined ? '–' : localTime(lastAt),
    ruleSentence(rule),
  ];
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  return [
    ...(rules.length === 0
      ? [isBroken ? `No rule of ${file} can be used:` : `There is no rule in ${file}.`]
      : formatTable(['rule', 'decided', 'last', 'what it says'], rules.map(row), style, columns)),
    ...(diagnostics.length === 0 ? [] : ['', ...formatDiagnostics(diagnostics, style, columns)]),
  ];
}
