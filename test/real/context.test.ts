import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/files.ts';
import type { SessionContext } from '../../src/harness/sessionContext.ts';
import { reasoningPhases } from '../../src/model/phase.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { cycleScenario, cycleSettings, makeCycleWorld } from '../support/cycleWorld.ts';
import type { ModelRequest } from '../support/modelServer.ts';
import { startCore } from '../support/world.ts';

test('context.json accounts for every byte that was sent, in each phase', { timeout: 120_000 }, async () => {
  const world = await makeCycleWorld({ settings: `${cycleSettings}\n${claudeSettings()}` });
  const { model, environment } = await startClaudeWorld(world, cycleScenario);
  const { core } = await startCore({ ...world, environment });
  const report = await core.api.request('run_cycle', { plan: world.plan, harness: 'claude-code' });
  expect(report.phases.map(({ phase }) => phase)).toEqual(reasoningPhases);
  for (const { phase, session } of report.phases) {
    const directory = join(world.vault, 'runtime/sessions', session);
    const context: SessionContext = JSON.parse(await readFile(join(directory, 'context.json'), 'utf8'));
    const request = model.requests.find((sent) => textsOf(sent).some((text) => text.includes(`phase, \`${phase}\``)));
    expect(request, `the first request of ${phase}`).toBeDefined();
    if (request === undefined) continue;
    const given = { system: partsText(context, 'system'), prompt: partsText(context, 'prompt') };
    const sent = textsOf(request);
    for (const [file, sizes] of [
      ['system.md', given.system],
      ['prompt.md', given.prompt],
    ] as const) {
      const text = await readFile(join(directory, file), 'utf8');
      // The parts follow each other without a gap, each is what its hash says, and the whole was sent as it is.
      expect(cutInto(text, sizes)).toEqual(sizes);
      expect(sent).toContain(text);
    }
    const ours = (request.tools ?? []).filter((tool) => tool.name.startsWith('mcp__ravel__'));
    const schemas = ours.map(({ name, description, input_schema: inputSchema }) => {
      const tool = { name: name.replace('mcp__ravel__', ''), description, inputSchema };
      return [`tools/${tool.name}`, sha256(JSON.stringify(tool))];
    });
    const tools = context.given.filter((part) => part.name.startsWith('tools/'));
    expect(schemas.sort()).toEqual(tools.map((part) => [part.name, part.sha256]).sort());
    expect(context.recorded?.length).toBeGreaterThan(0);
    // Every other text and tool of the request is one that was recorded for this version and profile.
    const others = sent.length - 2 + (request.tools ?? []).length - ours.length;
    expect(context.recorded).toHaveLength(others);
    expect(context.reported?.inputTokens).toBeGreaterThan(0);
  }
});

interface Size {
  readonly bytes: number;
  readonly sha256: string;
}

function partsText(context: SessionContext, where: string): Size[] {
  return context.given
    .filter((part) => part.name.startsWith(`${where}/`))
    .map(({ bytes, sha256: hash }) => ({ bytes, sha256: hash }));
}

function cutInto(text: string, sizes: readonly Size[]): Size[] {
  const bytes = Buffer.from(text);
  let at = 0;
  const cut = sizes.map((size) => {
    const piece = bytes.subarray(at, at + size.bytes);
    at += size.bytes;
    return { bytes: piece.length, sha256: sha256(piece) };
  });
  expect(at).toBe(bytes.length);
  return cut;
}

/** Every text of a request, system prompt and messages, in order. */
function textsOf(request: ModelRequest): string[] {
  const system = typeof request.system === 'string' ? [request.system] : (request.system ?? []).map(({ text }) => text);
  return [
    ...system,
    ...request.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    ),
  ];
}
