import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { isUlid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import { ingestionsMax } from '../../model/requests/ingestion.ts';
import type { CommandContext, Start } from '../context.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { formatIngestion, formatIngestions } from '../render/ingestions.ts';
import { wholeId } from '../shortId.ts';

const help = `
After each reflection, what analysis proved is offered to the experts that it concerns. They take it in, link it to an entry
that says the same, or reject it. \`ravel approvals\` has what they leave to you.

Examples:
  $ ravel ingest status shop
  $ ravel ingest run shop
  $ ravel ingest replay 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
`;

const statusHelp = `
With the id of a cycle it shows all that is known of what that cycle taught.

Examples:
  $ ravel ingest status
  $ ravel ingest status 01M0A9XQYJ6N8K3T5V7W9Y1Z2A
`;

/** How what plans prove gets into the knowledge. */
export function addIngestCommands(program: Command, start: Start): void {
  const group = program
    .command('ingest')
    .description('take what plans proved into the knowledge, and see what became of it')
    .addHelpText('after', help);
  group
    .command('status [plan-or-id]', { isDefault: true })
    .alias('list')
    .description('list what the latest cycles taught, or show one')
    .addHelpText('after', statusHelp)
    .action((named) => start((context) => status(context, named)));
  group
    .command('run <plan>')
    .description('offer what the latest cycle of a plan proved, and wait for the experts')
    .addHelpText('after', '\nExample:\n  $ ravel ingest run shop\n')
    .action((plan) => start((context) => run(context, plan)));
  group
    .command('replay <id>')
    .description('offer once more what a cycle taught and no entry says')
    .addHelpText('after', '\nExample:\n  $ ravel ingest replay 01M0A9XQYJ6N8K3T5V7W9Y1Z2A\n')
    .action((id) => start((context) => replay(context, id)));
}

async function status(context: CommandContext, named: string | undefined): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    // The name of a plan has letters that no id has, or is not a part of one.
    const id = named === undefined ? undefined : await wholeIngestion(api, named);
    if (id !== undefined && isUlid(id)) {
      const found = await api.request('ingestion', { id });
      context.result(found, formatIngestion(found, style));
      return 0;
    }
    const found = await api.request('ingestions', named === undefined ? {} : { plan: named });
    const lines = formatIngestions(found.ingestions, style);
    context.result(found, [...lines, ...formatDiagnostics(found.diagnostics, style, columns)]);
    return 0;
  });
}

async function run(context: CommandContext, plan: string): Promise<number> {
  const { ports, globals, style } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const { ingestion } = await api.request('ingest', { plan });
    const nothing = ['The latest cycle of the plan proved nothing, or the vault has no expert to take it in.'];
    context.result(ingestion ?? null, ingestion === undefined ? nothing : formatIngestion(ingestion, style));
    return 0;
  });
}

async function replay(context: CommandContext, id: string): Promise<number> {
  const { ports, globals, style } = context;
  return withApi(ports, globals.vault, 'owner', async ({ api }) => {
    const ingestion = await api.request('replay_ingestion', { id: await wholeIngestion(api, id) });
    context.result(ingestion, formatIngestion(ingestion, style));
    return 0;
  });
}

/** A cycle that taught something by the id of its record, its beginning or its end; a plan's name as it is. */
function wholeIngestion(api: Api, named: string): Promise<string> {
  return wholeId(named, 'cycles', async () =>
    (await api.request('ingestions', { limit: ingestionsMax })).ingestions.map(({ id }) => id),
  );
}
