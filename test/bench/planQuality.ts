import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createGit } from '../../src/git/git.ts';
import { askForPlans } from '../../src/goals/askForPlans.ts';
import { ProjectFiles } from '../../src/goals/projectFiles.ts';
import { surveyProject } from '../../src/goals/survey.ts';
import type { ConsultationRequest } from '../../src/harness/consultation.ts';
import { writeConsultation } from '../../src/harness/consultationFolder.ts';
import type { QualifiedId, Ulid } from '../../src/model/id.ts';
import { proposedPlanSchema } from '../../src/model/planProposal.ts';
import type { PlanCase } from './planQualityCases.ts';

/** What a session for a goal gets: all of its texts at the start, and what its tools can show it after that. */
export interface GivenForGoal {
  readonly system: string;
  readonly prompt: string;
  /** Bytes of the system prompt, the prompt and the tools, without the goal and the survey, which are the person's and the project's. */
  readonly ourBytes: number;
  readonly allBytes: number;
  /** What `list_files` and `read_file` answer, all of it. */
  readonly reachable: string;
}

/** Makes the repository of a case in `folder/project`, and the session's texts in `folder/session`, as Ravel does. */
export async function givenForGoal(
  one: PlanCase,
  { folder, prompts }: { readonly folder: string; readonly prompts: string },
): Promise<GivenForGoal> {
  const project = join(folder, 'project');
  for (const [path, text] of Object.entries(one.files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: project });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const git = createGit({ clock: systemClock, disk: nodeDisk, environment });
  const files = await ProjectFiles.open({ disk: nodeDisk, git }, project);
  const under = `${one.name}/project-root` as QualifiedId;
  const survey = await surveyProject(files, {
    ...{ project: one.name, under, experts: [], commits: [...(one.commits ?? [])] },
    plans: (one.plans ?? [{ below: '', description: one.name, tasks: [] }]).map(({ below, description, tasks }) => ({
      ...{ plan: `${under}${below}`, description },
      tasks: tasks.map((title) => ({ title, status: 'not_started' as const })),
    })),
  });
  const request = await requestOf({ under, goal: one.goal, survey, files });
  const directory = join(folder, 'session');
  await writeConsultation(
    { disk: nodeDisk, promptsDirectory: prompts, directory, withoutSecrets: (text) => text },
    request,
    'scripted',
  );
  const [system = '', prompt = '', tools = ''] = ['system.md', 'prompt.md', 'tools.json'].map((name) =>
    readFileSync(join(directory, name), 'utf8'),
  );
  const allBytes = Buffer.byteLength(system + prompt + tools);
  const ourBytes = allBytes - Buffer.byteLength(one.goal) - Buffer.byteLength(survey);
  return { system, prompt, ourBytes, allBytes, reachable: await readAll(request, files) };
}

/** The facts of each need that a session can neither be given nor find, as `need: fact`. */
export function missingFacts(
  { needs }: Pick<PlanCase, 'needs'>,
  given: Pick<GivenForGoal, 'prompt' | 'reachable'>,
): string[] {
  const known = `${given.prompt}\n${given.reachable}`;
  return needs.flatMap(({ need, facts }) =>
    facts.filter((fact) => !known.includes(fact)).map((fact) => `${need}: ${fact}`),
  );
}

/** The question as it is asked; it is caught before a harness would start. */
async function requestOf(asked: {
  readonly under: QualifiedId;
  readonly goal: string;
  readonly survey: string;
  readonly files: ProjectFiles;
}): Promise<ConsultationRequest> {
  let caught: ConsultationRequest | undefined;
  const session = '01JD0000000000000000000000' as Ulid;
  const stopped = new Error('caught');
  await askForPlans(
    async (request) => {
      caught = request;
      throw stopped;
    },
    async () => ({ findings: [], notes: [] }),
    { ...asked, session, timeMs: 1 },
    new AbortController().signal,
  ).catch((error: unknown) => {
    if (error !== stopped) throw error;
  });
  if (caught === undefined) throw new Error('No session was asked.');
  return caught;
}

/** Lists and reads by the tools of the session alone, as far as they let it. */
async function readAll({ tools }: ConsultationRequest, { paths }: ProjectFiles): Promise<string> {
  const { signal } = new AbortController();
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`The session has no tool ${name}.`);
    return (await tool.call(args, signal)).text;
  };
  const listed = await call('list_files', {});
  const texts: string[] = [listed];
  for (const path of paths.filter((one) => listed.includes(one))) texts.push(await call('read_file', { path }));
  return texts.join('\n');
}

/**
 * Leaves what a fresh reader and a judge need: for each case `project/`, `prompt.md` with all that the session is told, and
 * `goal.txt`; beside them `lists.md`, which only the judge gets.
 */
export function writeForReaders(
  folder: string,
  cases: readonly { readonly one: PlanCase; readonly given: GivenForGoal }[],
): void {
  for (const { one, given } of cases) {
    const text = [given.system, given.prompt, proposalForm].join('\n\n---\n\n');
    writeFileSync(join(folder, one.name, 'prompt.md'), `${text}\n`);
  }
  const lists = cases.map(({ one }) =>
    [`## ${one.name}`, '', `Goal: ${one.goal}`, '', ...one.needs.map(({ need }) => `- [ ] ${need}`)].join('\n'),
  );
  writeFileSync(join(folder, 'lists.md'), `# What any good plan contains\n\n${lists.join('\n\n')}\n`);
}

const proposalForm = `In place of \`propose_plan\`, write the proposal to \`plan.yaml\` beside this file: \`description\`, \`plans\` (each with ${Object.keys(
  proposedPlanSchema.shape,
)
  .map((key) => `\`${key}\``)
  .join(', ')}), \`questions\`, \`suggestions\`. Read only files below \`project/\`.`;
