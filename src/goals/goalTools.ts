import * as z from 'zod';
import { oneLine, plural, withoutEnd } from '../base/text.ts';
import type { ConsultationTool } from '../harness/consultation.ts';
import { failed } from '../harness/toolAnswers.ts';
import { goalQuestionsMax, type PlanProposal, planProposalSchema } from '../model/planProposal.ts';
import type { ProposalVerdict } from './judgePlanProposal.ts';
import type { ProjectFiles } from './projectFiles.ts';

/** How often a session can correct a proposal that was refused. */
const refusalsMax = 4;
const questionLengthMax = 500;

/** Characters of one answer, and of all answers of a session. */
const answerCharactersMax = 16_000;
const allCharactersMax = 400_000;
const listedMax = 200;
const hitsMax = 60;
/** Files that one search reads. */
const searchedMax = 3000;
const batchSize = 50;

const folder = z.string().max(1000).optional();
const listArgs = z.object({
  folder: folder.describe('only below this folder'),
  match: z.string().max(200).optional().describe('only paths that hold these letters'),
});
const readArgs = z.object({
  path: z.string().min(1).max(1000).describe('path of the file from the project, as list_files names it'),
  from_line: z.number().int().positive().optional().describe('the first line to read; 1 without it'),
});
const searchArgs = z.object({
  text: z.string().min(2).max(200).describe('letters to look for, whatever their case; no pattern'),
  folder: folder.describe('only below this folder'),
});

/** What a session reads a project with: files that git does not ignore, inside the project alone, and no secrets. */
export function fileTools(files: ProjectFiles): ConsultationTool[] {
  let left = allCharactersMax;
  const answer = (text: string) => {
    if (left <= 0) return failed('You have read as much as one session can. Answer by what you know.');
    const shown = text.slice(0, Math.min(answerCharactersMax, left));
    left -= shown.length;
    const cut = text.length - shown.length;
    return { text: cut > 0 ? `${shown}\n(${cut} more characters)` : shown, isError: false };
  };
  return [
    {
      name: 'list_files',
      description: 'Lists files of the project.',
      args: listArgs,
      async call(args) {
        const { folder: below, match = '' } = listArgs.parse(args);
        const found = pathsBelow(files, below).filter((path) => path.toLowerCase().includes(match.toLowerCase()));
        const more = found.length - listedMax;
        const rows = [...found.slice(0, listedMax), ...(more > 0 ? [`(${plural(more, 'more file')})`] : [])];
        return answer(rows.join('\n') || 'No file fits.');
      },
    },
    {
      name: 'read_file',
      description: 'Reads a file of the project.',
      args: readArgs,
      async call(args) {
        const { path, from_line: from = 1 } = readArgs.parse(args);
        const text = await files.read(path.replace(/^\.\//, ''));
        if (text === undefined) {
          return failed(
            `There is no file "${oneLine(path)}" that you can read: see list_files. Ignored files, links, secrets and binary files are left out.`,
          );
        }
        return answer(
          from === 1
            ? text
            : text
                .split('\n')
                .slice(from - 1)
                .join('\n') || '(the file ends before that line)',
        );
      },
    },
    {
      name: 'search_files',
      description: 'Finds lines of the project that hold a text.',
      args: searchArgs,
      async call(args, signal) {
        const { text, folder: below } = searchArgs.parse(args);
        return answer(await searchFiles(files, text, pathsBelow(files, below), signal));
      },
    },
  ];
}

function pathsBelow({ paths }: ProjectFiles, folder: string | undefined): readonly string[] {
  const named = withoutEnd(folder ?? '', '/');
  const wanted = named === '.' ? '' : named.replace(/^\.\//, '');
  return wanted === '' ? paths : paths.filter((path) => path.startsWith(`${wanted}/`));
}

async function searchFiles(
  files: ProjectFiles,
  text: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const wanted = text.toLowerCase();
  const hits: string[] = [];
  const searched = paths.slice(0, searchedMax);
  for (let from = 0; from < searched.length && hits.length < hitsMax; from += batchSize) {
    signal.throwIfAborted();
    const batch = searched.slice(from, from + batchSize);
    const texts = await files.readAll(batch);
    for (const [at, path] of batch.entries()) {
      for (const [n, line] of (texts[at] ?? '').split('\n').entries()) {
        if (hits.length < hitsMax && line.toLowerCase().includes(wanted))
          hits.push(`${path}:${n + 1}: ${oneLine(line).slice(0, 200)}`);
      }
    }
  }
  const skipped = paths.length - searched.length;
  const more = skipped > 0 ? [`(${plural(skipped, 'more file')} were not searched; name a folder)`] : [];
  return [...(hits.length === 0 ? ['No line holds that.'] : hits), ...more].join('\n');
}

/** What a session said by its tools. */
export interface GoalToolState {
  answer?:
    | { readonly kind: 'proposal'; readonly proposal: PlanProposal; readonly notes: readonly string[] }
    | { readonly kind: 'questions'; readonly questions: readonly string[] }
    | undefined;
  readonly refused: (readonly string[])[];
}

/** Proposes; a session learns why that is refused, and can correct it a few times. */
export function proposeTool(
  judge: (proposal: PlanProposal) => Promise<ProposalVerdict>,
  state: GoalToolState,
): ConsultationTool {
  return {
    name: 'propose_plan',
    description: 'Propose plans and tasks for the goal, all at once. It is checked; a good proposal ends the session.',
    args: planProposalSchema,
    async call(args) {
      const proposal = planProposalSchema.parse(args);
      const { findings, notes } = await judge(proposal);
      if (findings.length === 0) {
        state.answer = { kind: 'proposal', proposal, notes };
        return { text: 'A person will read it. End the session now.', isError: false, ends: true };
      }
      state.refused.push(findings);
      const told = findings.map((finding) => `- ${finding}`).join('\n');
      if (state.refused.length > refusalsMax) {
        return { ...failed(`It is refused for the last time:\n${told}\nEnd the session now.`), ends: true };
      }
      return failed(`Nothing was taken. Correct this, and propose all of it again.\n${told}`);
    },
  };
}

const askArgs = z.object({
  questions: z
    .array(z.string().trim().min(1).max(questionLengthMax))
    .min(1)
    .max(goalQuestionsMax)
    .describe(`at most ${goalQuestionsMax}, each one sentence that stands alone`),
});

/** Asks the person, before anything is proposed. */
export function questionTool(state: GoalToolState): ConsultationTool {
  return {
    name: 'ask_person',
    description: `Ask the person at most ${plural(goalQuestionsMax, 'question')}, once, and end. A new session gets the answers.`,
    args: askArgs,
    async call(args) {
      state.answer = { kind: 'questions', questions: askArgs.parse(args).questions };
      return { text: 'They are asked. End the session now.', isError: false, ends: true };
    },
  };
}
