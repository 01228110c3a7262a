import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withApi, withOwner } from '../../access/openApi.ts';
import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { readText, removeTree, writeAtomic } from '../../base/files.ts';
import { isRecord } from '../../base/json.ts';
import { plural, shellWord } from '../../base/text.ts';
import { type ApprovalKind, approvalKinds, type DecisionWord } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { isUlid } from '../../model/id.ts';
import type { Api } from '../../model/protocol.ts';
import {
  type ApprovalPage,
  type ApprovalResults,
  type ApprovalRow,
  deferDaysMax,
} from '../../model/requests/approvals.ts';
import type { CommandContext, Start } from '../context.ts';
import { readGiven } from '../givenText.ts';
import { formatApproval, formatApprovals, formatDecided, type UnfinishedRow } from '../render/approvals.ts';
import { formatCommandRows, type LabelledCommand } from '../render/commandRows.ts';
import { formatDiagnostics } from '../render/diagnostics.ts';
import { wrap } from '../render/text.ts';
import { rowsWithId } from '../shortId.ts';
import { continueGoal } from './goals.ts';
import { numberFlag } from './numberFlag.ts';
import { exitOfEnd, retry, run, watchRun } from './runs.ts';

export interface DecideFlags {
  readonly option?: string;
  readonly answer?: string;
  readonly from?: string;
  readonly reason?: string;
  readonly hash?: string;
  readonly run?: boolean;
  readonly override?: boolean;
  /** Of proposed plans, the parts that are accepted, with commas between them. */
  readonly only?: string;
  /** Questions of this kind alone are meant. */
  readonly kind?: ApprovalKind;
}

const listHelp = `
Examples:
  $ ravel approvals                                 all open questions
  $ ravel approvals list x --kind needs-input       the questions of one plan
`;

const showHelp = `
You can shorten an id to its beginning or its end, as long as no other question has the same. The name of a
plan is enough if it has only one open question; name nothing if the vault has only one.

Example:
  $ ravel approvals show x
`;

const acceptHelp = `
Examples:
  $ ravel approvals accept x --answer "Blue, as the logo is"
  $ ravel approvals accept x --option session       the session's side of a conflict
  $ ravel approvals accept x --run                  and continue at once
  $ ravel approvals accept ID --only search,fix-the-crash
`;

const editHelp = `
Opens what is asked in the editor that VISUAL or EDITOR names. Save and close it to decide; if you change
nothing, nothing is decided.

Examples:
  $ ravel approvals edit x
  $ ravel approvals edit x --from settled.yaml      without an editor
`;

const rejectHelp = `
Example:
  $ ravel approvals reject x --reason "Not in this release"
`;

const deferHelp = `
Only what no phase waits for can be put off, such as a statement that a plan learned. Nothing is lost meanwhile.

Examples:
  $ ravel approvals defer ID --days 30
  $ ravel approvals list --deferred
`;

/** The questions for a person, and their decisions. */
export function addApprovalCommands(program: Command, start: Start): void {
  const approvals = program.command('approvals').description('list the open questions and answer them');
  approvals
    .command('list [plan]', { isDefault: true })
    .description('list all open questions, or those of one plan')
    .option('--kind <kind>', `only this kind: ${approvalKinds.join(', ')}`)
    .option('--deferred', 'also those that you deferred')
    .addHelpText('after', listHelp)
    .action((plan, options) => start((context) => list(context, plan, options)));
  approvals
    .command('show [id-or-plan]')
    .description('show one question in full, with its possible answers')
    .addHelpText('after', showHelp)
    .action((named) => start((context) => show(context, named)));
  deciding(approvals.command('accept [id-or-plan]').description('accept it, or choose a side'))
    .option('--option <name>', 'the side to choose; see show')
    .option('--answer <text>', 'the answer to a question; - reads standard input')
    .option('--only <names>', 'of proposed plans, these plans and tasks alone, with commas between them')
    .option('--override', 'accept it despite the objections; see show')
    .addHelpText('after', acceptHelp)
    .action((named, options) => start((context) => decideApproval(context, 'accept', named, options)));
  deciding(approvals.command('edit [id-or-plan]').description('accept your own version instead'))
    .option('--from <file>', 'the edited text; - reads standard input')
    .option('--override', 'accept it despite the objections; see show')
    .addHelpText('after', editHelp)
    .action((named, options) => start((context) => decideApproval(context, 'edit', named, options)));
  deciding(approvals.command('reject [id-or-plan]').description('reject it'))
    .addHelpText('after', rejectHelp)
    .action((named, options) => start((context) => decideApproval(context, 'reject', named, options)));
  approvals
    .command('defer [id-or-plan]')
    .description('put it off; it waits unchanged, and comes back')
    .option('--days <count>', 'for how many days (default: 7)')
    .addHelpText('after', deferHelp)
    .action((named, options) => start((context) => defer(context, named, options)));
}

function deciding(command: Command): Command {
  return decidingWithoutPlan(command).option('--run', 'continue with the plan at once');
}

/** With the options that every decision takes, also one that no plan waits for. */
export function decidingWithoutPlan(command: Command): Command {
  return command
    .option('--reason <text>', 'why; it is kept with the decision')
    .option('--hash <hash>', 'refuse unless the content still has this hash, or its beginning');
}

async function list(
  context: CommandContext,
  plan: string | undefined,
  flags: { readonly kind?: string; readonly deferred?: boolean },
): Promise<number> {
  const { ports, globals, style, columns } = context;
  const kind = flags.kind === undefined ? {} : { kind: toKind(flags.kind) };
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const found = await api.request('approvals', { ...kind, ...defined({ plan, deferred: flags.deferred }) });
    const unfinished = flags.kind === undefined ? await listUnfinished(api, plan, found.approvals) : [];
    const faults = formatDiagnostics(found.diagnostics, style, columns);
    const lines = formatApprovals(found.approvals, unfinished, style, columns);
    if (found.deferred !== undefined) {
      const count = plural(found.deferred, 'question is', 'questions are');
      const more = `${count} deferred; \`ravel approvals list --deferred\` shows ${found.deferred === 1 ? 'it' : 'them'}.`;
      lines.push('', ...wrap(more, columns).map((line) => style.faint(line)));
    }
    context.result({ ...found, unfinished }, [...lines, ...faults]);
    return 0;
  });
}

/** Phases that failed or were interrupted ask nothing, and wait for a person all the same. */
async function listUnfinished(
  api: Api,
  named: string | undefined,
  approvals: readonly ApprovalRow[],
): Promise<readonly UnfinishedRow[]> {
  const asking = new Set(approvals.map(({ plan }) => plan));
  const rows =
    named === undefined
      ? (await api.request('list', { waiting: true })).plans
      : [await api.request('status', { plan: named })];
  return rows.flatMap(({ plan, phase, waiting, running }) =>
    waiting === undefined || running !== undefined || asking.has(plan)
      ? []
      : [{ plan, reason: waiting, ...defined({ phase }) }],
  );
}

function toKind(text: string): ApprovalKind {
  const kind = approvalKinds.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw failure('cli/usage', '--kind', `There is no kind "${text}"; there are ${approvalKinds.join(', ')}.`);
}

async function show(context: CommandContext, named: string | undefined): Promise<number> {
  const { ports, globals, style, columns } = context;
  return withApi(ports, globals.vault, 'local', async ({ api }) => {
    const page = await api.request('approval', { approval: await chooseApproval(api, named) });
    context.result(page, formatApproval(page, style, columns));
    return 0;
  });
}

async function defer(
  context: CommandContext,
  named: string | undefined,
  { days }: { readonly days?: string },
): Promise<number> {
  const { ports, globals } = context;
  const count = days === undefined ? undefined : numberFlag('--days', days, deferDaysMax);
  return withOwner(ports, globals.vault, async ({ api }) => {
    const approval = await chooseApproval(api, named);
    const result = await api.request('defer', { approval, ...defined({ days: count }) });
    context.result(result, [`Nothing is decided; the question comes back on ${result.until.slice(0, 10)}.`]);
    return 0;
  });
}

/** Decides on what a person named, and says what came of it. */
export async function decideApproval(
  context: CommandContext,
  decision: DecisionWord,
  named: string | undefined,
  flags: DecideFlags,
): Promise<number> {
  const { ports, globals, style, columns } = context;
  const { option, reason, override } = flags;
  const only = flags.only
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  let decided: ApprovalResults['decide'] | undefined;
  let answeredGoal: string | undefined;
  let asked: { readonly page: ApprovalPage; readonly given: GivenText | undefined | 'unchanged' } | undefined;
  // A decision that was lost with its owner is taken once: asked again, it is refused and says who decided.
  const code = await withOwner(ports, globals.vault, async ({ api, role }) => {
    if (asked === undefined) {
      const page = await api.request('approval', { approval: await chooseApproval(api, named, flags.kind) });
      assertHash(page, flags.hash);
      asked = { page, given: await textFor(context, decision, page, flags) };
    }
    const { page, given } = asked;
    if (given === 'unchanged') {
      context.result({ approval: page.approval, decided: false }, [
        'Nothing was changed, so nothing is decided; the question stays open.',
      ]);
      return 0;
    }
    const answer = {
      ...{ approval: page.approval, contentHash: page.contentHash, decision },
      ...defined({ option, reason, text: given?.text, only }),
      ...(override === true && { override }),
    };
    const carryOut = async () => {
      const result = await api
        .request('decide', answer)
        .catch((error: unknown) => keepText(error, page.approval, given));
      decided = result;
      if (decision === 'accept' && page.kind === 'goal-question') answeredGoal = page.approval;
      await given?.drop?.();
      const asks = decision === 'accept' && page.kind === 'unroutable-message' && role === 'owner';
      context.result(result, [
        ...formatDecided(result, style, columns),
        ...(asks ? whenAsked(page, columns) : []),
        ...(page.kind === 'new-plans' && decision !== 'reject' ? formatCommandRows('Next:', afterPlans, columns) : []),
      ]);
      return result.report === undefined ? 0 : exitOfEnd[result.report.end];
    };
    // Of no plan, nothing runs that could be watched.
    return page.plan === undefined ? carryOut() : watchRun(context, { api, role }, page.plan, carryOut);
  });
  if (answeredGoal !== undefined && code === 0) return continueGoal(context, answeredGoal);
  return decided === undefined || code !== 0 || flags.run !== true ? code : continueRun(context, decided);
}

const afterPlans: readonly LabelledCommand[] = [
  ['ravel next', 'lists the tasks that can start'],
  ['ravel rehearse PLAN', 'tries a cycle of a plan on a copy'],
  ['ravel run --next', 'runs a cycle with the first of these tasks'],
];

/** A question is put to a session by who owns the vault, and this process owned it for the decision alone. */
function whenAsked({ details, approval }: ApprovalPage, columns: number): string[] {
  const { on, message = approval } = isRecord(details) ? (details as { on?: unknown; message?: string }) : {};
  if (on !== 'query') return [];
  const how = `It is asked as soon as a process owns the vault: \`ravel daemon\`, or any run. \`ravel answer ${message}\` reads the answer.`;
  return wrap(how, columns - 2).map((line) => `  ${line}`);
}

function continueRun(context: CommandContext, { plan, report, next: how }: ApprovalResults['decide']): Promise<number> {
  if (plan === undefined || (how === undefined && report === undefined)) return Promise.resolve(0);
  return how === 'retry' ? retry(context, plan, {}) : run(context, plan, {});
}

function assertHash({ approval, contentHash }: ApprovalPage, wanted: string | undefined): void {
  if (wanted === undefined || (wanted !== '' && contentHash.startsWith(wanted))) return;
  throw failure('approval/changed', approval, `The content of ${approval} does not have the hash ${wanted} any more.`);
}

interface GivenText {
  readonly text: string;
  /** Where the text is kept until it has been decided on, and how it goes then. */
  readonly file?: string;
  readonly drop?: () => Promise<void>;
}

/**
 * The text that belongs to a decision, from wherever the person gives it. Closing the editor without a change takes the
 * decision back, which is not a mistake.
 */
async function textFor(
  context: CommandContext,
  decision: DecisionWord,
  page: ApprovalPage,
  { answer, from }: DecideFlags,
): Promise<GivenText | 'unchanged' | undefined> {
  const { ports } = context;
  if (decision === 'accept' && answer !== undefined) {
    return { text: answer === '-' ? await ports.stdin.readAll() : answer };
  }
  if (decision !== 'edit') return undefined;
  if (from !== undefined) return { text: await readGiven(ports, '--from', from) };
  const { form, approval } = page;
  if (form === undefined) throw failure('approval/badDecision', approval, 'There is nothing to edit here.');
  // A private folder: in the shared one, another user could create a file under a name that is known in advance.
  const folder = join(ports.temporaryDirectory, `ravel-edit-${randomUUID()}`);
  await ports.disk.makeDirectory(folder, 0o700);
  const file = join(folder, `${approval}.yaml`);
  await writeAtomic(ports.disk, file, form, { permissions: 0o600 });
  context.close();
  const code = await ports.runEditor([file]);
  const text = await readText(ports.disk, file);
  const drop = () => removeTree(ports.disk, folder);
  if (code === 0 && text !== form) return { text, file, drop };
  if (text === form) await drop();
  if (code === 0) return 'unchanged';
  const why = `The editor ended with code ${code}`;
  const help = text === form ? {} : { help: continueFrom(approval, file) };
  throw failure('approval/notEdited', approval, `${why}, so nothing is decided.`, help);
}

/** A mistake in a text that the user wrote does not lose that text. */
function keepText(error: unknown, approval: string, given: GivenText | undefined): never {
  if (given?.file === undefined || !isRavelError(error)) throw error;
  const { code, subject, message } = error.diagnostic;
  if (code !== 'approval/badDecision' && code !== 'gate/refused') throw error;
  throw failure(code, subject, message, {
    cause: error,
    file: given.file,
    help: continueFrom(approval, given.file),
  });
}

function continueFrom(approval: string, file: string): string {
  return `Your text is kept in ${file}; correct it, then \`ravel approvals edit ${approval} --from ${shellWord(file)}\`.`;
}

/** What a person named: an id, its beginning or its end, or a plan that waits with one thing. */
async function chooseApproval(api: Api, named: string | undefined, kind?: ApprovalKind): Promise<string> {
  const { approvals } = await api.request(
    'approvals',
    defined({ kind, deferred: named === undefined ? undefined : true }),
  );
  const what = { subject: named ?? 'vault', noun: kind === 'rule-suggestion' ? 'suggested rule' : 'open question' };
  if (named === undefined) {
    if (approvals.length === 0) await refuseDeferred(api, kind);
    return onlyOne(approvals, { ...what, which: 'in this vault' });
  }
  const found = rowsWithId(named, approvals, ({ approval }) => approval);
  if (found.length > 0) return onlyOne(found, { ...what, which: `with an id like "${named}"` });
  if (isUlid(named.toUpperCase())) return named.toUpperCase();
  if (kind !== undefined) {
    const help = 'See `ravel suggestions` for the suggested rules.';
    throw failure('approval/unknown', named, `There is no ${what.noun} with the id "${named}".`, { help });
  }
  const { plan } = await api.request('status', { plan: named }).catch((error: unknown) => {
    if (!isRavelError(error, 'plan/unknown')) throw error;
    throw failure(
      'approval/unknown',
      named,
      `There is no open question with the id "${named}", and no plan has that name.`,
    );
  });
  return onlyOne(
    approvals.filter((row) => row.plan === plan),
    { ...what, which: `of ${plan}` },
  );
}

/** What was put off can be answered, by its id. */
async function refuseDeferred(api: Api, kind: ApprovalRow['kind'] | undefined): Promise<void> {
  const { approvals: deferred } = await api.request('approvals', defined({ kind, deferred: true }));
  const [first] = deferred;
  if (first === undefined) return;
  const message = `No question is open, and ${plural(deferred.length, 'question')} ${deferred.length === 1 ? 'is' : 'are'} deferred.`;
  throw failure('approval/unknown', 'vault', message, {
    help: `See them with \`ravel approvals list --deferred\`; name one, such as ${first.approval}, to answer it.`,
  });
}

interface Wanted {
  readonly subject: string;
  /** What the rows are, and what they have in common. */
  readonly noun: string;
  readonly which: string;
}

function onlyOne(rows: readonly ApprovalRow[], { subject, noun, which }: Wanted): string {
  const [first, ...others] = rows;
  if (first === undefined) throw failure('approval/unknown', subject, `There is no ${noun} ${which}.`);
  if (others.length === 0) return first.approval;
  const names = rows.map(({ approval, kind }) => `${approval} (${kind})`).join(', ');
  throw failure('cli/usage', subject, `There are ${rows.length} ${noun}s ${which}; name one of ${names}.`);
}
