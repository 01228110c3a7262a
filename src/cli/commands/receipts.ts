import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { exitCodes } from '../../model/codes.ts';
import type { Api } from '../../model/protocol.ts';
import { receiptsMax } from '../../model/requests/receipts.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatComparison, formatReceipt, formatReceipts } from '../render/receipts.ts';
import { wholeId } from '../shortId.ts';
import { assertExpert } from './experts.ts';

const receiptsHelp = `
A receipt says what an answer of an expert was made of: the question, the entries with their hashes, the persona, the
prompts and the model. The same question is answered from it, without a session, as long as all of that is the same.

Examples:
  $ ravel receipts list --expert rust
  $ ravel receipts list --entry knowledge/languages/rust/pinning.md
  $ ravel receipts show 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
  $ ravel receipts compare 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
`;

const listHelp = `
With --entry it lists the answers that rest on an entry, by its id, path or title.

Example:
  $ ravel receipts list --entry Pinning
`;

const showHelp = `
Example:
  $ ravel receipts show 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
`;

const compareHelp = `
Compares a receipt with what its question would be asked with now, or with OTHER. It exits with 5 if they differ.

Example:
  $ ravel receipts compare 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
`;

interface ListFlags {
  readonly expert?: string;
  readonly entry?: string;
}

/** What the answers of experts were made of. */
export function addReceiptCommands(program: Command, start: Start): void {
  const group = program
    .command('receipts')
    .description('show what the answers of experts were made of')
    .addHelpText('after', receiptsHelp);
  group
    .command('list', { isDefault: true })
    .description('list the answers of experts, the newest first')
    .option('--expert <expert>', 'only those of one expert')
    .option('--entry <entry>', 'only those that rest on an entry')
    .addHelpText('after', listHelp)
    .action((flags) => start((context) => list(context, flags)));
  group
    .command('show <id>')
    .description('show one receipt')
    .addHelpText('after', showHelp)
    .action((id) => start((context) => show(context, id)));
  group
    .command('compare <id> [other]')
    .description('show what has changed since an answer was given')
    .addHelpText('after', compareHelp)
    .action((id, other) => start((context) => compare(context, id, other)));
}

async function list(context: CommandContext, { expert, entry }: ListFlags): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('receipts', { ...(expert && { expert }), ...(entry && { entry }) });
    // What a receipt names may be gone by now; what no receipt names should exist.
    if (found.total === 0 && expert !== undefined) await assertExpert(api, expert);
    if (found.total === 0 && entry !== undefined) await api.request('entry', { entry });
    const faults = formatDiagnostics(found.diagnostics, style, columns);
    const isFiltered = expert !== undefined || entry !== undefined;
    const none = isFiltered ? 'No answer of an expert fits.' : 'No expert has answered yet.';
    context.result(found, [...(found.total === 0 ? [none] : formatReceipts(found, context)), ...faults]);
    return 0;
  });
}

async function show(context: CommandContext, id: string): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const { receipt } = await api.request('receipt', { id: await wholeReceipt(api, id) });
    context.result(receipt, formatReceipt(receipt, context));
    return 0;
  });
}

async function compare(context: CommandContext, id: string, other: string | undefined): Promise<number> {
  return withApi(context.ports, context.globals.vault, 'local', async ({ api }) => {
    const [one, two] = await Promise.all([id, other].map((name) => name && wholeReceipt(api, name)));
    const found = await api.request('compare_receipt', { id: one ?? id, ...(two && { other: two }) });
    context.result(found, formatComparison(found, context, other !== undefined));
    return found.isSame ? 0 : exitCodes.conflict;
  });
}

/** A receipt by its id, its beginning or its end. */
function wholeReceipt(api: Api, named: string): Promise<string> {
  return wholeId(named, 'receipts', async () =>
    (await api.request('receipts', { limit: receiptsMax })).receipts.map(({ id }) => id),
  );
}
