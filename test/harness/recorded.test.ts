import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { recordedParts } from '../../src/harness/recorded.ts';
import { recordedClaudeCode } from '../../src/harness/recordedClaudeCode.ts';
import type { RecordedPart } from '../../src/harness/recording.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { type ReasoningPhase, reasoningPhases } from '../../src/model/phase.ts';
import { claudeCodeEnvironment, claudeCodeSettings } from '../support/claudeCode.ts';
import { type ModelRequest, startModelServer } from '../support/modelServer.ts';
import { bundleProgram } from '../support/program.ts';
import { collect, createSessionWorld } from '../support/sessions.ts';

/**
 * Captures the requests of the real program for each phase. To record a new version: RAVEL_RECORD=1 npx vitest run
 * test/harness/recorded.test.ts, then review the diff.
 */
const recording = process.env['RAVEL_RECORD'] === '1';
const dataFile = fileURLToPath(new URL('../../src/harness/recordedClaudeCode.ts', import.meta.url));

let toolServer: string;

beforeAll(async () => {
  toolServer = await bundleProgram(fileURLToPath(new URL('../fixtures/harness/toolServer.ts', import.meta.url)));
});

interface Captured {
  readonly version: string;
  readonly request: ModelRequest;
  readonly systemPrompt: string;
  readonly prompt: string;
}

async function capture(phase: ReasoningPhase): Promise<Captured> {
  const environment: Record<string, string> = {};
  const world = await createSessionWorld({ environment, settings: claudeCodeSettings(), mcpServer: toolServer });
  const systemPrompt = `You are at work in a test. phase: ${phase}\n\nÄ "quoted" line,  two blanks,\ttab\n`;
  const prompt = '  # A prompt\n\n<message>data</message>\n\nLast line without end';
  await writeFile(join(world.directory, 'system.md'), systemPrompt);
  await writeFile(join(world.directory, 'prompt.md'), prompt);
  const staging = join(world.root, 'staging');
  await mkdir(staging);
  const { scenario } = parseScenario(`version: 1\nphases: { ${phase}: [say: Done.] }`, 'capture.yaml');
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const model = await startModelServer({ scenario, projectDirectory: world.project });
  onTestFinished(() => model.close());
  Object.assign(environment, claudeCodeEnvironment(world.root, model.url));
  const cwd = phase === 'work' ? world.project : staging;
  const session = await world.start(createClaudeCodeAdapter(nodeDisk), { purpose: phase, cwd });
  const [ready] = await collect(session.outputs);
  const [request] = model.requests;
  if (ready?.kind !== 'ready' || request === undefined) throw new Error('the program sent nothing');
  return { version: ready.version, request, systemPrompt, prompt };
}

/** Splits the texts and tools of a request into those that Ravel gave and those that are the program's own. */
function partsOf({ request, systemPrompt, prompt }: Captured): { own: RecordedPart[]; given: string[] } {
  const own: RecordedPart[] = [];
  const given: string[] = [];
  const add = (name: string, text: string) => {
    if (text === systemPrompt || text === prompt) {
      given.push(text);
      return;
    }
    const normal = normalise(text);
    own.push({ name, bytes: Buffer.byteLength(normal), sha256: sha256(normal) });
  };
  for (const [at, text] of texts(request.system ?? []).entries()) add(`system/${at}`, text);
  for (const [at, message] of request.messages.entries()) {
    for (const [part, text] of texts(message.content).entries()) add(`messages/${message.role}-${at}-${part}`, text);
  }
  for (const tool of request.tools ?? []) {
    if (tool.name.startsWith('mcp__ravel__')) given.push(tool.name);
    else add(`tools/${tool.name}`, JSON.stringify(tool));
  }
  return { own, given };
}

function texts(content: string | readonly object[]): string[] {
  if (typeof content === 'string') return [content];
  return content.map((block) => {
    if (!('text' in block) || typeof block.text !== 'string') throw new Error(`unknown block ${JSON.stringify(block)}`);
    return block.text;
  });
}

/** Replaces only what differs from run to run or from machine to machine. */
function normalise(text: string): string {
  return text
    .replace(/(?<=cc_version=\d+\.\d+\.\d+)\.[0-9a-f]+/, '.{build}')
    .replace(/(?<=^ - (?:Primary working directory|Is a git repository|Platform|Shell|OS Version): ).*$/gm, '{here}')
    .replace(/(?<=^ - Additional working directories:\n) {2}- .*$/m, '{project}')
    .replace(/^You are powered by the model .*$/m, '{model}')
    .replace(/(?<=^USD budget: ).*$/m, '{budget}')
    .replace(/(?<=^Today's date is ).*$/m, '{date}.')
    .replace(/(?<=^Co-Authored-By: ).*$/m, '{model}');
}

describe.each(reasoningPhases)('a Claude Code request in %s', (phase) => {
  test('has the given prompts byte for byte, the recorded parts, and nothing else', async () => {
    const captured = await capture(phase);
    const { own, given } = partsOf(captured);
    expect(given.slice(0, 2)).toEqual([captured.systemPrompt, captured.prompt]);
    // The permission tool is not shown to the model.
    const sessionTools = 3;
    expect(given).toHaveLength(2 + sessionTools);
    for (const tool of captured.request.tools ?? []) {
      if (!tool.name.startsWith('mcp__ravel__')) continue;
      const name = tool.name.slice('mcp__ravel__'.length);
      expect(tool).toEqual({
        name: tool.name,
        description: `Stands in for ${name}.`,
        input_schema: { type: 'object' },
      });
    }
    if (recording) await record(captured.version, phase, own);
    else expect(own).toEqual(recordedParts(recordedClaudeCode, phase, captured.version));
  });
});

test('recorded parts default to the newest version, and a harness without a model has none', () => {
  expect(recordedParts(recordedClaudeCode, 'work')).toEqual(recordedParts(recordedClaudeCode, 'work', '2.1.329'));
  expect(recordedParts(recordedClaudeCode, 'work')?.length).toBeGreaterThan(6);
  expect(recordedParts(recordedClaudeCode, 'work', '0.0.1')).toBeUndefined();
  expect(recordedParts(undefined, 'work')).toBeUndefined();
});

/** Rewrites the data file, phase by phase. */
async function record(version: string, phase: ReasoningPhase, parts: readonly RecordedPart[]): Promise<void> {
  const rows = parts.map((part) => `      { name: '${part.name}', bytes: ${part.bytes}, sha256: '${part.sha256}' },\n`);
  const isFirst = phase === reasoningPhases[0];
  const before = isFirst
    ? `import type { Recording } from './recording.ts';\n\n/** Captured from the program's own requests by the test of \`recorded.ts\`. */\nexport const recordedClaudeCode: readonly Recording[] = [\n  {\n    version: '${version}',\n    phases: {\n    },\n  },\n];\n`
    : await readFile(dataFile, 'utf8');
  const entry = `      '${phase}': [\n${rows.join('')}      ],\n`;
  await writeFile(
    dataFile,
    before.replace(/ {4}\},\n {2}\},\n\];\n$/, (end) => `${entry}${end}`),
  );
}
