import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sha256 } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { SessionContext } from '../../src/harness/sessionContext.ts';
import type { CycleReport } from '../../src/model/requests/runs.ts';
import { type LaterGiven, loadLater } from '../../src/plans/sessions/laterMemory.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import type { ModelRequest } from './modelServer.ts';
import { analysis, done, scenarioText } from './scenarioRuns.ts';
import type { World } from './world.ts';

/** Files that both the made-up memory and the real one name. */
export const namedFiles: Readonly<Record<string, string>> = {
  'README.md': '# A program\n',
  'src/multi_plan.rs': 'pub fn run_multi_plan() {}\n',
  'src/git.rs': 'pub fn work_tree_snapshot() {}\n',
};

/** So long that it does not fit behind what fits the task better. */
const long = (text: string) => `${text} ${'Nothing else is known. '.repeat(30)}\n`;

/** A memory that is too large to be given whole, with entries about those files. */
export const largeMemory = formatYaml({
  entries: [
    { id: 'dream', title: 'Dreams', body: long('`src/dream.rs` is a state machine.') },
    { id: 'many', title: 'Turns', body: long('`src/multi_plan.rs` runs plans in turn.') },
    { id: 'trees', title: 'Trees', body: long('`work_tree_snapshot` in `src/git.rs` reads no index. Née “Ünïcode”.') },
    ...Array.from({ length: 120 }, (_, n) => ({
      id: `cheese-${n}`,
      title: `Cheese ${n} is kept cold`,
      body: `Cheese number ${n} is kept in the cellar, at nine degrees. ${'It ripens slowly. '.repeat(20)}\n`,
    })),
  ],
});

/** The task of this cycle; its words are in the real memory as well. */
export const cycleTask = {
  title: 'Keep the cellar cold',
  category: 'core',
  description: 'The survey and its prompts must load in order. Cheese spoils when it is warm.\n',
};

/** A whole cycle whose work touches each of the files. */
export const givenScript = scenarioText({
  work: [
    { read: { path: 'src/multi_plan.rs' } },
    { edit: { path: 'src/dream.rs', content: 'pub fn dream(cold: bool) {}\n' } },
    { run: { command: 'cat src/git.rs' } },
    { read: { path: 'src/multi_plan.rs' } },
    done,
  ],
  'analyse-work': analysis(['Keep it cold', 'src/dream.rs']),
  reflect: [done],
  dream: [done],
  triage: [done],
});

/** A budget that leaves out entries about those files, so that they come later. */
export const smallBudget = '[memory]\nbudget-kb = 4\n';

/** What a session was given, as its folder accounts for it. */
export interface AccountedGiven {
  readonly system: string;
  readonly prompt: string;
  /** Name and hash of each tool, in the order of their names. */
  readonly tools: readonly (readonly [name: string, sha256: string])[];
  readonly memory: SessionContext['memory'];
  readonly recorded: SessionContext['recorded'];
  readonly reported: SessionContext['reported'];
  readonly later: readonly LaterGiven[];
}

/** The texts that `context.json` accounts for: its parts follow each other without a gap, and each is what its hash says. */
export async function readAccounted(world: Pick<World, 'vault'>, session: string): Promise<AccountedGiven> {
  const directory = join(world.vault, 'runtime/sessions', session);
  const context: SessionContext = JSON.parse(await readFile(join(directory, 'context.json'), 'utf8'));
  const texts = { system: '', prompt: '' };
  for (const where of ['system', 'prompt'] as const) {
    const text = await readFile(join(directory, `${where}.md`));
    const parts = context.given.filter(({ name }) => name.startsWith(`${where}/`));
    let at = 0;
    for (const { name, bytes, sha256: hash } of parts) {
      expect([name, sha256(text.subarray(at, at + bytes))]).toEqual([name, hash]);
      at += bytes;
    }
    expect(at).toBe(text.length);
    texts[where] = text.toString('utf8');
  }
  const tools = context.given
    .filter(({ name }) => name.startsWith('tools/'))
    .map(({ name, sha256: hash }) => [name, hash] as const);
  const { memory, recorded, reported } = context;
  const { later } = await loadLater(nodeDisk, directory);
  return { ...texts, tools: tools.toSorted(byName), memory, recorded, reported, later };
}

/** Name and hash of each of our tools in a request, in the order of their names. */
export function toolsSent({ tools = [] }: ModelRequest): readonly (readonly [name: string, sha256: string])[] {
  return tools
    .filter(({ name }) => name.startsWith('mcp__ravel__'))
    .map(({ name, description, input_schema: inputSchema }) => {
      const tool = { name: name.replace('mcp__ravel__', ''), description, inputSchema };
      return [`tools/${tool.name}`, sha256(JSON.stringify(tool))] as const;
    })
    .toSorted(byName);
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** Every text of a request, system prompt and messages, in order. */
export function textsOf(request: ModelRequest): string[] {
  const system = typeof request.system === 'string' ? [request.system] : (request.system ?? []).map(({ text }) => text);
  return [
    ...system,
    ...request.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    ),
  ];
}

/** The requests of one phase: the prompt of each names it. */
export function requestsOf(requests: readonly ModelRequest[], phase: string): ModelRequest[] {
  return requests.filter((sent) => textsOf(sent).some((text) => text.includes(`phase, \`${phase}\``)));
}

/**
 * In each phase of a cycle, what the program sent to its model is the text that `context.json` accounts for, and, once
 * each, the texts that came later: with the request behind the call that they belong to, and nothing else of that kind.
 */
export async function expectSentAsAccounted(
  world: Pick<World, 'vault'>,
  report: CycleReport,
  sent: readonly ModelRequest[],
): Promise<void> {
  for (const { phase, session } of report.phases) {
    const given = await readAccounted(world, session);
    const requests = requestsOf(sent, phase);
    const first = requests[0];
    expect(first, `the first request of ${phase}`).toBeDefined();
    if (first === undefined) continue;
    const texts = textsOf(first);
    expect(texts).toContain(given.system);
    expect(texts).toContain(given.prompt);
    expect(toolsSent(first)).toEqual(given.tools);
    expect(recalledIn(requests.at(-1) ?? first)).toEqual(given.later.map(({ text }) => text));
    if (phase === 'work') expect(given.later.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash']);
    else expect(given.later).toEqual([]);
    expect(given.memory?.given).toBe(
      { work: 'relevant', triage: 'relevant', reflect: 'all', dream: 'all' }[phase as string],
    );
  }
}

/** What hooks added to the answers of tools, in order: without the words that the program puts before and behind it. */
function recalledIn(request: ModelRequest): string[] {
  return textsOf(request).flatMap((text) => {
    const [, recalled] =
      /^PostToolUse:[A-Z][a-z]+ hook additional context: ([\s\S]*?)(?:\n\nUSD budget: [^\n]*)?$/.exec(text) ?? [];
    return recalled ?? [];
  });
}
