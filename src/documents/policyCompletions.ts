import type { Range } from '../base/errors.ts';
import { pathRuleTools } from '../gates/policy/ruleString.ts';
import type { Completion } from '../model/document.ts';
import type { QualifiedId } from '../model/id.ts';
import { policyActions } from '../model/policy.ts';
import type { YamlCursor } from './yamlCursor.ts';

const forms: readonly { readonly tool: string; readonly insert: string; readonly documentation: string }[] = [
  {
    tool: 'Bash(…)',
    insert: 'Bash(npm run *)',
    documentation: 'Commands: a star stands for any text, blanks included.',
  },
  {
    tool: 'Read(…)',
    insert: 'Read(/secrets/**)',
    documentation: `Files that are read, by ${pathRuleTools.Read.join(', ')} and by commands: /x below the project, ~/x below the home folder, //x of the system.`,
  },
  {
    tool: 'Edit(…)',
    insert: 'Edit(/docs/**)',
    documentation: `Files that are changed, by ${pathRuleTools.Edit.join(', ')} and by commands.`,
  },
  { tool: 'Bash', insert: 'Bash', documentation: 'Every command.' },
  { tool: 'Read', insert: 'Read', documentation: 'Everything that only reads files.' },
  { tool: 'Edit', insert: 'Edit', documentation: 'Everything that changes files.' },
];

/** Rules and plans, if one of them stands there; otherwise undefined: the schema says the rest. `isQuoted`: quotes are there already. */
export function policyValues(
  { path, slot }: Pick<YamlCursor, 'path' | 'slot'>,
  plans: readonly QualifiedId[],
  at: { readonly range: Range; readonly isQuoted: boolean },
): Completion[] | undefined {
  if (slot.kind === 'key') return undefined;
  const { key, siblings } = slot;
  const place = path.join('.');
  const isRule = place === 'permissions' || place === 'rules.*';
  const written = (text: string) => (at.isQuoted ? text : JSON.stringify(text));
  if (isRule && policyActions.some((action) => action === key)) {
    return forms.map(({ tool, insert, documentation }) => ({
      ...{
        label: tool,
        kind: 'word',
        insert: written(insert),
        range: at.range,
        documentation,
        filter: `${tool} ${insert}`,
      },
    }));
  }
  if (place !== 'rules.*' || key !== 'actors') return undefined;
  const projects = [...new Set(plans.map((id) => `${id.split('/')[0]}/**`))];
  return [...projects, ...plans]
    .filter((name) => !siblings.includes(name))
    .map((name) => ({ label: name, kind: 'reference', insert: written(name), range: at.range }));
}
