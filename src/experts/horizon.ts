import * as z from 'zod';
import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { Consult, ConsultationPrompt, ConsultationTool } from '../harness/consultation.ts';
import { failed } from '../harness/toolAnswers.ts';
import type { KnowledgeBase } from '../knowledge/entries/knowledgeBase.ts';
import { classify } from '../knowledge/likeness/classify.ts';
import type { VaultSearch } from '../knowledge/search/vaultSearch.ts';
import type { Expert } from '../model/expert.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { foreign, ownWords } from '../model/promptText.ts';
import type { HorizonReport } from '../model/requests/knowledge.ts';
import type { Settings } from '../model/settings.ts';
import { entrySubject } from '../vault/entryFile.ts';
import { passageProblem } from './checkCitations.ts';
import { nearEntries } from './ingestion/nearEntries.ts';

/** Statements that one text can give. */
const statementsMax = 10;
/** Characters of a text that one session reads. */
const windowLengthMax = 100_000;
/** From this likeness on, an entry says nearly the same. */
const duplicateLeast = 0.6;
/** Proposals whose passages are wrong are returned so often; then those are refused. */
const returnsMax = 2;

export interface HorizonParts {
  readonly ports: { readonly consult: Consult; readonly newUlid: () => Ulid; readonly settings: Settings };
  readonly knowledge: KnowledgeBase;
  readonly search: Pick<VaultSearch, 'search'>;
  /** Who reads it; without one a session without a persona. */
  readonly expert?: { readonly actor: QualifiedId; readonly expert: Expert };
}

/** What begins the codes of refusals; any other failure ends the command. */
const refusingRooms = ['write/', 'entry/'];

interface Proposal {
  readonly title: string;
  readonly statement: string;
  readonly passage: string;
  readonly session: Ulid;
}

type Report = {
  -readonly [Key in keyof HorizonReport]: HorizonReport[Key] extends readonly (infer Row)[] ? Row[] : never;
};

/**
 * Finds in a text of others what is worth trying, and stages it as entries that were never tried. Fresh sessions propose;
 * code checks each quotation, compares with what is known, and says what was refused.
 */
export async function readHorizon(
  parts: HorizonParts,
  { text, source }: { readonly text: string; readonly source: string },
  signal: AbortSignal,
): Promise<HorizonReport> {
  const report: Report = { kept: [], refused: [], unread: [] };
  const windows = windowsOf(text);
  const each = Math.ceil(statementsMax / windows.length);
  for (const [at, part] of windows.entries()) {
    const limit = Math.min(each, statementsMax - report.kept.length);
    if (limit <= 0) break;
    const read = await readPart(parts, part, { limit, at, of: windows.length }, signal);
    if (read.problem !== undefined) report.unread.push(read.problem);
    report.refused.push(...read.refused);
    for (const proposal of read.proposals) await stage(parts, proposal, source, report, signal);
  }
  return report;
}

/** Parts of a text, each ending with a line where that is possible. */
export function windowsOf(text: string, lengthMax = windowLengthMax): readonly string[] {
  const windows: string[] = [];
  for (let start = 0; start < text.length; ) {
    const full = text.slice(start, start + lengthMax);
    const line = full.lastIndexOf('\n') + 1;
    const end = start + full.length < text.length && line > lengthMax / 2 ? line : full.length;
    windows.push(full.slice(0, end));
    start += end;
  }
  return windows;
}

interface ReadPart {
  readonly proposals: readonly Proposal[];
  readonly refused: HorizonReport['refused'];
  readonly problem?: string;
}

async function readPart(
  { ports, expert: declared }: HorizonParts,
  text: string,
  { limit, at, of }: { readonly limit: number; readonly at: number; readonly of: number },
  signal: AbortSignal,
): Promise<ReadPart> {
  const session = ports.newUlid();
  const part = of === 1 ? '' : `It is part ${at + 1} of ${of}.`;
  let taken: ReadPart | undefined;
  const tools = horizonTools(text, limit, (proposals, refused) => {
    taken = { proposals: proposals.map((proposal) => ({ ...proposal, session })), refused };
  });
  const prompt: ConsultationPrompt = {
    file: 'horizon.md',
    values: {
      LIMIT: ownWords(String(limit)),
      PART: ownWords(part),
      PERSONA: foreign('persona', declared?.expert.persona, 'A careful reader.'),
      TEXT: foreign('text', text),
    },
  };
  const { end } = await ports.consult(
    {
      ...{ session, purpose: 'horizon', actor: declared?.actor ?? 'vault', prompt, tools },
      system: { file: 'consultation.md', values: {} },
      timeMs: ports.settings.limits['answer-minutes'] * 60_000,
      ...defined({ model: declared?.expert.model ?? undefined }),
    },
    signal,
  );
  if (taken !== undefined) return taken;
  signal.throwIfAborted();
  const name = of === 1 ? 'The text' : `Part ${at + 1} of ${of}`;
  return { proposals: [], refused: [], problem: `${name}: its session ended without an answer (${end}).` };
}

const statementSchema = z.object({
  title: z.string().trim().min(1).max(200).describe('What it says, in a few words.'),
  statement: z.string().trim().min(1).max(4000).describe('For a reader who does not have the text.'),
  passage: z.string().trim().min(1).max(4000).describe('Words of the text that say it, exactly as they stand there.'),
});
const declineArgs = z.object({ reason: z.string().trim().min(1).max(2000) });

type Stated = z.infer<typeof statementSchema>;

const over = { text: 'It was taken; end the session now.', isError: false, ends: true } as const;

/** The tools of a session that reads a text. */
function horizonTools(
  text: string,
  limit: number,
  take: (proposals: readonly Stated[], refused: HorizonReport['refused']) => void,
): ConsultationTool[] {
  let returned = 0;
  const proposeArgs = z.object({ statements: z.array(statementSchema).min(1).max(limit) });
  return [
    {
      name: 'propose',
      description: 'Propose statements that the text holds, and end. Each passage is checked.',
      args: proposeArgs,
      async call(args) {
        const judged = proposeArgs
          .parse(args)
          .statements.map((one) => ({ one, problem: passageProblem(one.passage, text, 'the text') }));
        const wrong = judged.flatMap(({ one, problem }) =>
          problem === undefined ? [] : [{ title: one.title, reason: problem }],
        );
        if (wrong.length > 0 && returned < returnsMax) {
          returned += 1;
          const told = wrong.map(({ title, reason }) => `"${title}": ${reason}`).join('\n');
          return failed(
            `Nothing was taken. Correct ${plural(wrong.length, 'passage')}, and propose all again.\n${told}`,
          );
        }
        const right = judged.flatMap(({ one, problem }) => (problem === undefined ? [one] : []));
        take(right, wrong);
        return over;
      },
    },
    {
      name: 'decline',
      description: 'Say that the text holds nothing of the kind, and end.',
      args: declineArgs,
      async call(args) {
        take([], [{ title: '', reason: declineArgs.parse(args).reason }]);
        return over;
      },
    },
  ];
}

/** Adds a proposal as an entry that was never tried, or says why not. */
async function stage(
  { knowledge, search }: HorizonParts,
  { title, statement, passage, session }: Proposal,
  source: string,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const known = await knowledge.survey(signal);
  const live = known.heads.filter(({ isArchived }) => !isArchived);
  const { folder, kind, tags } = classify(
    { title, body: statement },
    live.flatMap(({ fields }) => fields.tags),
  );
  const [near] = await nearEntries({ knowledge, search }, known, { title, text: statement, tags }, signal);
  if (near !== undefined && near.score >= duplicateLeast) {
    report.refused.push({ title, reason: `${near.path} says nearly the same ("${near.title}").` });
    return;
  }
  const quoted = passage.split('\n').map((line) => `> ${line}`.trimEnd());
  const body = [statement, '', ...quoted].join('\n');
  try {
    const { places } = await knowledge.add({
      ...{ title, body, folder, kind, tags, source, sourceSession: session },
      // The text is new to the vault, so a statement that repeats it does not echo what the vault knew.
      ...{ confidence: 'prospective', given: [] },
    });
    report.kept.push({ entry: places.map(entrySubject)[0] ?? title, title, passage });
  } catch (error) {
    if (!isRavelError(error) || !refusingRooms.some((room) => error.code.startsWith(room))) throw error;
    report.refused.push({ title, reason: error.message });
  }
}
