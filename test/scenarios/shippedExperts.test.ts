import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';
import { ask, makeExpertWorld } from '../support/expertWorld.ts';
import { startCore } from '../support/world.ts';

const shipped = join(import.meta.dirname, '../../shipped');

/** A question to each, and the entry that holds the answer. */
const asked: readonly (readonly [expert: string, question: string, entry: string])[] = [
  [
    'rust',
    'Why is my future not Send when a MutexGuard lives across an await?',
    'languages/rust/future-holds-what-lives-across-await.md',
  ],
  [
    'ffi',
    'How do I hand a callback with its state to a C library?',
    'techniques/ffi/callbacks-carry-a-context-pointer.md',
  ],
  [
    'distributed-systems',
    'How does a message that is delivered twice take effect once?',
    'domains/distributed-systems/effects-once-through-idempotency.md',
  ],
  [
    'software-architect',
    'How and where do we record why we decided on an architecture?',
    'domains/software-architecture/record-decisions.md',
  ],
  ['obsidian', 'How do I write a wikilink in a property?', 'tools/obsidian/quote-wikilinks-in-properties.md'],
  [
    'research',
    'Does a language model use what stands in the middle of a long context?',
    'domains/language-models/lost-in-the-middle.md',
  ],
];

/** The id of an entry, and its first paragraph. */
function quotationOf(entry: string) {
  const text = readFileSync(join(shipped, 'knowledge', entry), 'utf8');
  const { data, body } = parseFrontmatter(text, { file: entry, subject: entry });
  const passage = body.split('\n\n').find((paragraph) => /^[A-Z]/.test(paragraph)) ?? '';
  return { entry: (data as { readonly id: string }).id, passage };
}

test('each shipped expert answers a question from its own entries', { timeout: 60_000 }, async () => {
  const world = await makeExpertWorld({ answers: [] });
  cpSync(shipped, world.vault, { recursive: true });
  const ids = readdirSync(join(shipped, 'experts')).map((name) => name.replace(/\.md$/, ''));
  expect(ids.sort()).toEqual(asked.map(([expert]) => expert).sort());
  const answers = asked.map(([, question, entry]) => ({
    when: question,
    steps: [
      {
        call: 'answer',
        with: { answer: 'As it stands there.', citations: [quotationOf(entry)], confidence: 'high' },
      },
    ],
  }));
  writeFileSync(world.scenario, JSON.stringify({ version: 1, consultations: { answer: answers } }));
  const { core } = await startCore(world);
  const { diagnostics } = await core.api.request('experts', {});
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  for (const [expert, question, entry] of asked) {
    const { answer } = await ask(core, question, expert);
    expect(answer, expert).toMatchObject({ state: 'answered', by: `expert:${expert}`, isSupported: true });
    expect(answer?.passages).toMatchObject([{ path: `knowledge/${entry}` }]);
  }
});
