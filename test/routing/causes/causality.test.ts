import { describe, expect, test } from 'vitest';
import {
  type CauseRef,
  causeKey,
  type ExpandedCause,
  eachWayMax,
  traceCauses,
} from '../../../src/routing/causes/causality.ts';

/** Things named by letters that lead to each other; a letter without a row is an end. */
type Graph = Readonly<Record<string, { readonly gaps?: readonly string[]; readonly after?: string }>>;

const ref = (id: string): CauseRef => ({ kind: 'message', id });

function expandIn(graph: Graph): { expand: (ref: CauseRef) => Promise<ExpandedCause>; asked: string[] } {
  const asked: string[] = [];
  const afterOf = (id: string) => [...(graph[id]?.after ?? '')];
  return {
    asked,
    async expand({ id }) {
      asked.push(id);
      const before = Object.keys(graph).filter((other) => afterOf(other).includes(id));
      return {
        node: { kind: 'message', id, title: `title of ${id}` },
        before: before.map((other) => ({ to: ref(other), how: `${other} led to ${id}` })),
        after: afterOf(id).map((other) => ({ to: ref(other), how: `${id} led to ${other}` })),
        gaps: graph[id]?.gaps ?? [],
      };
    },
  };
}

async function check(graph: Graph, start: string) {
  const { expand, asked } = expandIn(graph);
  const trace = await traceCauses(ref(start), expand, new AbortController().signal);
  const ids = trace.nodes.map(({ id }) => id).join('');
  const links = trace.links.map(({ from, to }) => `${from.slice(8)}${to.slice(8)}`).sort();
  return { ids, links, gaps: trace.gaps, asked: asked.length, subject: trace.subject };
}

test('a trace cuts long titles and details', async () => {
  const long = 'long '.repeat(100_000);
  const node = { kind: 'message', id: 'a', title: long, detail: long } as const;
  const expand = async (): Promise<ExpandedCause> => ({ node, before: [], after: [], gaps: [] });
  const { nodes } = await traceCauses(ref('a'), expand, new AbortController().signal);
  expect(nodes.map(({ title, detail }) => [title.length, detail?.length])).toEqual([[300, 4000]]);
});

test('a trace leads back to all causes and on to all effects, with each thing once', async () => {
  const graph = {
    a: { after: 'bc' },
    b: { after: 'd' },
    c: { after: 'd' },
    d: { after: 'e' },
    e: { after: 'f' },
    f: {},
  };
  expect(await check(graph, 'd')).toEqual({
    ids: 'acbdef',
    links: ['ab', 'ac', 'bd', 'cd', 'de', 'ef'],
    gaps: [],
    asked: 6,
    subject: 'message:d',
  });
});

test('a trace leaves out other effects of a cause', async () => {
  const graph = { rule: {}, r: { after: 'xyz' }, x: { after: 'u' }, y: { after: 'v' }, z: {} };
  expect((await check(graph, 'x')).ids).toBe('rxu');
});

test('a trace of a circular chain ends', async () => {
  const found = await check({ a: { after: 'b' }, b: { after: 'c' }, c: { after: 'a' } }, 'a');
  expect([...found.ids].sort().join('')).toBe('abc');
  expect(found).toMatchObject({ links: ['ab', 'bc', 'ca'], asked: 3 });
});

test('a trace lists a gap once, however it is reached', async () => {
  const gaps = ['The transcript of a is gone.'];
  expect(await check({ a: { after: 'bc', gaps }, b: { after: 'd', gaps }, c: { after: 'd' } }, 'd')).toMatchObject({
    gaps,
  });
});

describe('a trace of more than it can show', () => {
  test.each(['before', 'after'] as const)(
    'stops at 100 things %s its subject and says how many are missing',
    async (way) => {
      const many = Array.from({ length: eachWayMax + 30 }, (_, index) => ({ to: ref(`m${index}`), how: 'led to' }));
      const expand = async ({ id }: CauseRef): Promise<ExpandedCause> => ({
        node: { kind: 'message', id, title: id },
        before: [],
        after: [],
        ...(id === 'start' && { [way]: many }),
        gaps: [],
      });
      const { nodes, gaps } = await traceCauses(ref('start'), expand, new AbortController().signal);
      expect(nodes).toHaveLength(eachWayMax + 1);
      expect(gaps).toEqual([expect.stringMatching(/^At least 30 more things .* beyond the 100 that are shown\.$/)]);
    },
  );
});

test('a cancelled trace looks up nothing', async () => {
  const { expand, asked } = expandIn({ a: { after: 'b' } });
  await expect(traceCauses(ref('b'), expand, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(asked).toEqual([]);
});

test('tasks of two plans can have the same id, but a rule id is unique', () => {
  expect(causeKey({ kind: 'task', id: 'x', plan: 'a/project-root' })).toBe('task:a/project-root#x');
  expect(causeKey({ kind: 'rule', id: 'x', plan: 'a/project-root' })).toBe('rule:x');
});
