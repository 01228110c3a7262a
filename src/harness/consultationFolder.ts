import { join } from 'node:path';
import * as z from 'zod';
import { settleAll } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { ensureDirectory, readText, readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { EventActor } from '../model/event.ts';
import type { HarnessName } from '../model/harnesses.ts';
import { ownWords } from '../model/promptText.ts';
import type { GivenPart } from '../model/requests/inspect.ts';
import { consultationPurposes } from '../model/sessionPurpose.ts';
import type { ConsultationPrompt, ConsultationRequest } from './consultation.ts';
import { type PromptValues, parseTemplate, renderTemplate } from './promptTemplate.ts';
import { measureText, saveContext, saveTools, sizeOf } from './sessionContext.ts';
import { describeTool } from './toolAnswers.ts';

/** What is kept of a consultation beside what any session has: enough to end it and to book its cost after a crash. */
const consultationRecordSchema = z.looseObject({
  purpose: z.enum(consultationPurposes),
  actor: z.string().transform((actor) => actor as EventActor),
  payer: z.string().transform((payer) => payer as EventActor),
});

export type ConsultationRecord = z.infer<typeof consultationRecordSchema>;

export interface ComposedConsultation {
  readonly systemPrompt: string;
  readonly givenBytes: number;
  readonly givenTokens: number;
  /** An empty folder to run in, so that nothing can be read there. */
  readonly cwd: string;
}

/**
 * Renders the prompts and writes the folder of a consultation: `system.md`, `prompt.md`, `context.json` and `tools.json`
 * as any session has them, and `consultation.json`. Throws `prompt/badToken` if a prompt and its values do not fit.
 */
export async function writeConsultation(
  ports: {
    readonly disk: Disk;
    readonly promptsDirectory: string;
    readonly directory: string;
    readonly withoutSecrets: (text: string) => string;
  },
  request: ConsultationRequest,
  harness: HarnessName,
): Promise<ComposedConsultation> {
  const { disk, directory } = ports;
  const tools = request.tools.map(describeTool);
  const own = {
    PURPOSE: ownWords(request.purpose),
    TOOLS: ownWords(tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n')),
  };
  const system = await render(ports, request.system, own);
  const prompt = await render(ports, request.prompt, own);
  const given = [
    ...system.map((part) => toGivenPart('system', part)),
    ...prompt.map((part) => toGivenPart('prompt', part)),
    ...tools.map((tool) => ({
      ...measureText(JSON.stringify(tool)),
      ...{ name: `tools/${tool.name}`, reason: `a tool of a session that is to ${request.purpose}` },
    })),
  ];
  const { purpose, actor, plan, model } = request;
  const record = { purpose, actor, payer: plan ?? 'vault', harness, ...defined({ model }) };
  const systemPrompt = system.map(({ text }) => text).join('');
  const cwd = consultationCwd(directory);
  await ensureDirectory(disk, directory);
  await settleAll([
    ensureDirectory(disk, cwd),
    writeAtomic(disk, join(directory, 'system.md'), systemPrompt),
    writeAtomic(disk, join(directory, 'prompt.md'), prompt.map(({ text }) => text).join('')),
    saveContext(disk, directory, { given, recorded: null, reported: null }),
    saveTools(disk, directory, tools),
    writeAtomic(disk, join(directory, recordFile), `${JSON.stringify(record, undefined, 2)}\n`),
  ]);
  return { systemPrompt, cwd, ...sizeOf(given) };
}

/** Where it runs. */
export function consultationCwd(directory: string): string {
  return join(directory, 'empty');
}

/** Undefined if the folder is of no consultation. */
export async function loadConsultation(disk: Disk, directory: string): Promise<ConsultationRecord | undefined> {
  const text = await readTextIfExists(disk, join(directory, recordFile));
  const { data } = consultationRecordSchema.safeParse(text === undefined ? undefined : parseJson(text));
  return data;
}

const recordFile = 'consultation.json';

interface RenderedPart {
  readonly name: string;
  readonly text: string;
  readonly path?: string;
}

/** What the session is for and which tools it has, is put in where a prompt wants it and its asker gave none. */
async function render(
  {
    disk,
    promptsDirectory,
    withoutSecrets,
  }: Pick<Parameters<typeof writeConsultation>[0], 'disk' | 'promptsDirectory' | 'withoutSecrets'>,
  { file, values }: ConsultationPrompt,
  own: PromptValues,
): Promise<RenderedPart[]> {
  const path = `prompts/${file}`;
  const template = parseTemplate(await readText(disk, join(promptsDirectory, file)), path);
  const wanted = Object.entries(own).filter(([token]) => template.tokens.some((known) => known === token));
  const { parts } = renderTemplate(template, { ...Object.fromEntries(wanted), ...values });
  return parts.map(({ name, text: written }) => {
    const text = withoutSecrets(written);
    return name === 'template' ? { name, text, path } : { name, text };
  });
}

function toGivenPart(where: 'system' | 'prompt', { name, text, path }: RenderedPart): GivenPart {
  const reason = path === undefined ? `what it was asked about: ${name}` : 'how it is to answer';
  return { ...measureText(text), name: `${where}/${name}`, reason, ...defined({ path }) };
}
