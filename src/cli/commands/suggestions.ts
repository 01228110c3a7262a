import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { readTextIfExists } from '../../base/files.ts';
import { plural } from '../../base/text.ts';
import { failure } from '../../model/codes.ts';
import type { SuggestionRow } from '../../model/requests/routing.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatRules, formatSuggestion, formatSuggestions } from '../render/suggestions.ts';
import { decideApproval, decidingWithoutPlan } from './approvals.ts';

const kind = 'rule-suggestion';

const listHelp = `
Lists rules that routing sessions suggested or that the history supports, each tested against everything routed before.

Example:
  $ ravel suggestions
`;

const showHelp = `
You can shorten an id to its beginning or its end. Without an id, the command shows the only suggestion.

Example:
  $ ravel suggestions show 01M0A9XQ
`;

const acceptHelp = `
Adds the rule to routing.yaml, keeps every comment there, and commits the file with the reason. A rule that the history
contradicts, or that other rules cover or make ambiguous, needs --override.

Examples:
  $ ravel suggestions accept 01M0A9XQ --reason "Payments makes all refunds"
  $ ravel suggestions accept 01M0A9XQ --override
`;

const editHelp = `
Example:
  $ ravel suggestions edit 01M0A9XQ --from rule.yaml
`;

const rejectHelp = `
Ravel does not suggest an equal rule again, even with its words in another order or form.

Example:
  $ ravel suggestions reject 01M0A9XQ --reason "Too wide"
`;

const rulesHelp = `
Examples:
  $ ravel rules                                     how often each rule decided
  $ ravel rules lint                                which rules are wrong or doubtful
  $ ravel rules propose                             looks for rules in the history
`;

/** Suggested rules, and the rules that there are. */
export function addSuggestionCommands(program: Command, start: Start): void {
  const suggestions = program.command('suggestions').description('list suggested rules and decide about them');
  suggestions
    .command('list', { isDefault: true })
    .description('list all suggested rules')
    .addHelpText('after', listHelp)
    .action(() => start(list));
  suggestions
    .command('show [id]')
    .description('show one rule in its file, and what it would have done')
    .addHelpText('after', showHelp)
    .action((id) => start((context) => show(context, id)));
  decidingWithoutPlan(suggestions.command('accept [id]').description('add it to routing.yaml'))
    .option('--override', 'accept it despite the objections')
    .addHelpText('after', acceptHelp)
    .action((id, options) => start((context) => decideApproval(context, 'accept', id, { ...options, kind })));
  decidingWithoutPlan(suggestions.command('edit [id]').description('add your version of it to routing.yaml'))
    .option('--from <file>', 'the edited rule; - reads standard input')
    .option('--override', 'accept it despite the objections')
    .addHelpText('after', editHelp)
    .action((id, options) => start((context) => decideApproval(context, 'edit', id, { ...options, kind })));
  decidingWithoutPlan(suggestions.command('reject [id]').description('reject it; an equal rule is not suggested again'))
    .addHelpText('after', rejectHelp)
    .action((id, options) => start((context) => decideApproval(context, 'reject', id, { ...options, kind })));
  const rules = program
    .command('rules')
    .description('list and check the rules of routing.yaml')
    .addHelpText('after', rulesHelp);
  rules
    .command('list', { isDefault: true })
    .description('list every rule, and how often it decided')
    .addHelpText('after', rulesHelp)
    .action(() => start(listRules));
  rules
    .command('lint')
    .description('list problems and doubts about the rules')
    .addHelpText('after', rulesHelp)
    .action(() => start(lint));
  rules
    .command('propose')
    .description('search the routing history for new rules')
    .addHelpText('after', rulesHelp)
    .action(() => start(propose));
}

async function list(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('suggestions', {});
    context.result(found, formatSuggestions(found.suggestions, context));
    return 0;
  });
}

async function show(context: CommandContext, named: string | undefined): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const { suggestions, file } = await api.request('suggestions', {});
    const row = chooseRow(suggestions, named);
    const text = (await readTextIfExists(ports.disk, file)) ?? '';
    context.result(row, formatSuggestion(row, { path: file, text }, context));
    return 0;
  });
}

function chooseRow(rows: readonly SuggestionRow[], named: string | undefined): SuggestionRow {
  const wanted = (named ?? '').toUpperCase();
  const found = rows.filter(({ approval }) => approval.startsWith(wanted) || approval.endsWith(wanted));
  const [first, ...others] = found;
  if (first === undefined)
    throw failure(
      'approval/unknown',
      named ?? 'suggestions',
      named === undefined ? 'There is no suggested rule.' : `There is no suggested rule with the id "${named}".`,
    );
  if (others.length === 0) return first;
  const names = found.map(({ approval }) => approval).join(', ');
  throw failure(
    'cli/usage',
    named ?? 'suggestions',
    `There are ${found.length} suggested rules; name one of ${names}.`,
  );
}

async function listRules(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('rules', {});
    context.result(found, formatRules(found, context));
    return 0;
  });
}

/** Exits with 2 if a rule is wrong, as `ravel verify` does; warnings do not count. */
async function lint(context: CommandContext): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const { diagnostics, rules } = await api.request('rules', {});
    const clean = [`${plural(rules.length, 'rule')}, and nothing is wrong.`];
    context.result({ diagnostics }, diagnostics.length === 0 ? clean : formatDiagnostics(diagnostics, style, columns));
    return diagnostics.some(({ severity }) => severity === 'error') ? 2 : 0;
  });
}

async function propose(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const { suggested, checked } = await api.request('propose_rules', {});
    const { suggestions } = await api.request('suggestions', {});
    const made = suggestions.filter(({ approval }) => suggested.includes(approval));
    const none = [`No new suggestions; ${checked} decisions were checked.`];
    context.result({ suggested, checked }, made.length === 0 ? none : formatSuggestions(made, context));
    return 0;
  });
}
