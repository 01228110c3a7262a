import { delimiter, isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { withApi } from '../../access/openApi.ts';
import { isRavelError } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import { failure } from '../../model/codes.ts';
import { planFiles } from '../../model/plan.ts';
import type { Api } from '../../model/protocol.ts';
import type { CommandContext, Start } from '../context.ts';
import { namedEditor } from '../editor.ts';
import type { Ports } from '../ports.ts';
import { rowWithId } from '../shortId.ts';

const help = `
Opens the vault in VS Code, or the file of a plan, an open question or an entry of the knowledge. It starts \`code\` or
\`codium\` if one is on PATH, else VISUAL or EDITOR; --editor names another.

Examples:
  $ ravel open
  $ ravel open shop/project-root/cart
  $ ravel open "Retries need a limit" --editor "emacsclient -n"
`;

interface OpenFlags {
  readonly editor?: string;
}

export function addOpenCommand(command: Command, start: Start): void {
  command
    .command('open [plan-or-id-or-entry]')
    .description('open the vault, or the file of a plan, question or entry, in your editor')
    .option('--editor <command>', 'the editor to start, with its arguments')
    .addHelpText('after', help)
    .action((named: string | undefined, flags: OpenFlags) => start((context) => open(context, named, flags)));
}

async function open(context: CommandContext, named: string | undefined, flags: OpenFlags): Promise<number> {
  const { ports, globals } = context;
  const file = await withApi(ports, globals.vault, 'local', async ({ api, vault }) =>
    named === undefined ? vault : fileOf(api, named),
  );
  if (flags.editor?.trim() === '') throw failure('cli/usage', '--editor', '--editor takes a command; it is empty.');
  const editor = flags.editor ?? (await usualEditor(ports));
  const code = await ports.runEditor([file], editor);
  context.result(
    { file, editor, code },
    code === 0 ? [`${file} is open in ${editor}.`] : [`${editor} ended with code ${code}.`],
  );
  return code === 0 ? 0 : 1;
}

/** An editor that shows folders and has Ravel's extension comes before one for single files. */
async function usualEditor({ disk, environment }: Ports): Promise<string> {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const program of ['code', 'codium', 'code-insiders']) {
    for (const folder of folders) if (await exists(disk, join(folder, program))) return program;
  }
  try {
    return namedEditor(environment);
  } catch (error) {
    if (!isRavelError(error, 'cli/noEditor')) throw error;
    throw failure(
      'cli/noEditor',
      'editor',
      'Neither code nor codium is on PATH, and neither VISUAL nor EDITOR is set.',
      {
        help: "In VS Code, “Shell Command: Install 'code' command in PATH” adds it. Or name an editor with --editor, VISUAL or EDITOR.",
      },
    );
  }
}

/** A title with a slash is not the id of a plan. */
const notThere = ['plan/unknown', 'plan/badId', 'entry/unknown'] as const;

/** The first that has the name: a plan, an open question by a part of its id, an entry. */
async function fileOf(api: Api, named: string): Promise<string> {
  const unknown = (error: unknown) => {
    if (notThere.some((code) => isRavelError(error, code))) return undefined;
    throw error;
  };
  const plan = await api.request('status', { plan: named }).catch(unknown);
  if (plan !== undefined) return join(plan.directory, planFiles.marker);
  const { approvals } = await api.request('approvals', {});
  const question = rowWithId(named, approvals, 'open questions', ({ approval }) => approval);
  if (question !== undefined) return (await api.request('approval', { approval: question.approval })).file;
  const entry = await api.request('entry', { entry: named }).catch(unknown);
  if (entry !== undefined) return entry.row.file;
  throw failure('plan/unknown', named, `No plan, open question or entry of this vault is called "${named}".`, {
    help: 'See `ravel status`, `ravel approvals` and `ravel knowledge list`.',
  });
}
