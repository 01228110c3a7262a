import { describe, expect, test } from 'vitest';
import {
  type CauseLook,
  type CauseRef,
  causeKey,
  eachWayMax,
  traceCauses,
} from '../../../src/routing/causes/causality.ts';

/** Things named by letters, which lead to each other; what has no row is an end. */
type Graph = Readonly<Record<string, { readonly gaps?: readonly string[]; readonly after?: string }>>;

const ref = (id: string): CauseRef => ({ kind: 'message', id });

function lookUpIn(graph: Graph): { lookUp: (ref: CauseRef) => Promise<CauseLook>; asked: string[] } {
  const asked: string[] = [];
  const afterOf = (id: string) => [...(graph[id]?.after ?? '')];
  return {
    asked,
    async lookUp({ id }) {
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
  const { lookUp, asked } = lookUpIn(graph);
  const trace = await traceCauses(ref(start), lookUp, new AbortController().signal);
  const ids = trace.nodes.map(({ id }) => id).join('');
  const links = trace.links.map(({ from, to }) => `${from.slice(8)}${to.slice(8)}`).sort();
  return { ids, links, gaps: trace.gaps, asked: asked.length, subject: trace.subject };
}

test('long words are told by their beginnings, so that an answer stays small', async () => {
  const long = 'long '.repeat(100_000);
  const node = { kind: 'message', id: 'a', title: long, detail: long } as const;
  const lookUp = async (): Promise<CauseLook> => ({ node, before: [], after: [], gaps: [] });
  const { nodes } = await traceCauses(ref('a'), lookUp, new AbortController().signal);
  expect(nodes.map(({ title, detail }) => [title.length, detail?.length])).toEqual([[300, 4000]]);
});

test('back to what led to a thing and on to what it led to, each thing once', async () => {
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

test('what else a cause led to is no part of it', async () => {
  const graph = { rule: {}, r: { after: 'xyz' }, x: { after: 'u' }, y: { after: 'v' }, z: {} };
  expect((await check(graph, 'x')).ids).toBe('rxu');
});

test('a circle ends', async () => {
  const found = await check({ a: { after: 'b' }, b: { after: 'c' }, c: { after: 'a' } }, 'a');
  expect([...found.ids].sort().join('')).toBe('abc');
  expect(found).toMatchObject({ links: ['ab', 'bc', 'ca'], asked: 3 });
});

test('what is not known is told once, however it is reached', async () => {
  const gaps = ['The transcript of a is gone.'];
  expect(await check({ a: { after: 'bc', gaps }, b: { after: 'd', gaps }, c: { after: 'd' } }, 'd')).toMatchObject({
    gaps,
  });
});

describe('more than can be shown', () => {
  test.each(['before', 'after'] as const)('%s: it stops, and says how much is missing', async (way) => {
    const many = Array.from({ length: eachWayMax + 30 }, (_, index) => ({ to: ref(`m${index}`), how: 'led to' }));
    const lookUp = async ({ id }: CauseRef): Promise<CauseLook> => ({
      node: { kind: 'message', id, title: id },
      before: [],
      after: [],
      ...(id === 'start' && { [way]: many }),
      gaps: [],
    });
    const { nodes, gaps } = await traceCauses(ref('start'), lookUp, new AbortController().signal);
    expect(nodes).toHaveLength(eachWayMax + 1);
    expect(gaps).toEqual([expect.stringMatching(/^At least 30 more things .* beyond the 100 that are shown\.$/)]);
  });
});

test('who gives up waiting is not searched for any longer', async () => {
  const { lookUp, asked } = lookUpIn({ a: { after: 'b' } });
  await expect(traceCauses(ref('b'), lookUp, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(asked).toEqual([]);
});

test('tasks of two plans may have one id', () => {
  expect(causeKey({ kind: 'task', id: 'x', plan: 'a/project-root' })).toBe('task:a/project-root#x');
  expect(causeKey({ kind: 'rule', id: 'x', plan: 'a/project-root' })).toBe('rule:x');
});
