import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import type { EmbeddingSettings } from '../../../src/knowledge/meaning/embeddingServer.ts';
import { MeaningRanker, type ReadHit } from '../../../src/knowledge/meaning/meaningRanker.ts';
import { type byMoney, startFakeEmbeddings } from './embeddingFake.ts';

const never = new AbortController().signal;

function read(id: string, score: number, text = id): ReadHit {
  const parts = [
    { kind: 'word' as const, name: 'a', score: score / 2 },
    { kind: 'word' as const, name: 'b', score: score / 2 },
  ];
  return { hit: { in: 'memory', id, title: '', line: '', score, file: '', tags: [], bytes: 1, parts }, text };
}

const found = [read('clock', 4), read('till', 3), read('refund', 2, 'money is paid back')];

function rankerOf(url: string, more: Partial<EmbeddingSettings> = {}) {
  let nowMs = 0;
  const timers: (() => void)[] = [];
  const ranker = new MeaningRanker({
    clock: {
      ...systemClock,
      monotonicMs: () => nowMs,
      schedule(_delayMs, callback) {
        timers.push(callback);
        return toDisposable(() => undefined);
      },
    },
    settings: () => ({ url, host: '', model: 'small', key: undefined, ...more }),
  });
  const ids = async (hits = found) => {
    const result = await ranker.rank('who pays', hits, never);
    return { ids: result.hits.map(({ hit }) => hit.id), problem: result.problem };
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const runTimers = () => {
    for (const callback of timers) callback();
  };
  return { ranker, ids, pass, runTimers };
}

test('an entry that means the same rises, and its parts sum to its score', async () => {
  const { url } = await startFakeEmbeddings();
  const { ranker, ids } = rankerOf(url);
  expect(await ids()).toEqual({ ids: ['clock', 'refund', 'till'], problem: undefined });
  const { hits } = await ranker.rank('who pays', found, never);
  for (const { hit } of hits) {
    expect(hit.parts.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(hit.score, 12);
    expect(hit.parts.filter(({ kind }) => kind === 'meaning')).toHaveLength(1);
  }
});

test('the key is sent, and each text once for all searches', async () => {
  const { url, asked, headers } = await startFakeEmbeddings();
  const { ids } = rankerOf(url, { key: 'secret' });
  await ids();
  await ids([...found, read('new', 1)]);
  expect(asked.map(({ length }) => length)).toEqual([4, 1]);
  expect(headers).toEqual(['Bearer secret', 'Bearer secret']);
});

test('an empty text is not sent, and stays where its words put it', async () => {
  const { url, asked } = await startFakeEmbeddings();
  const { ids } = rankerOf(url);
  expect(await ids([read('', 5, ' \n'), ...found])).toMatchObject({ problem: undefined });
  expect(asked.flat()).not.toContain('');
});

test.each<[what: string, respond: typeof byMoney, problem: RegExp]>([
  ['an error', (_texts, response) => response.writeHead(500).end(), /status 500/],
  ['no JSON', (_texts, response) => response.end('<html>'), /something else/],
  ['too few vectors', (_texts, response) => response.end('{"data":[]}'), /something else/],
  [
    'different dimensions',
    (texts, response) =>
      response.end(JSON.stringify({ data: texts.map((_, n) => ({ embedding: Array(n + 1).fill(1) })) })),
    /something else/,
  ],
  [
    'one place twice',
    (texts, response) => response.end(JSON.stringify({ data: texts.map(() => ({ index: 0, embedding: [1] })) })),
    /something else/,
  ],
  ['half of an answer', (_texts, response) => response.writeHead(200, { 'content-length': 900 }).end('{'), /reached/],
  [
    'a redirection',
    (_texts, response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
    /status 302/,
  ],
])(
  'a server that gives %s leaves the ranking by words, says so once, and is tried again later',
  async (_what, respond, problem) => {
    const { url, asked } = await startFakeEmbeddings(respond);
    const { ids, pass } = rankerOf(url);
    const plain = ['clock', 'till', 'refund'];
    expect(await ids()).toEqual({ ids: plain, problem: expect.stringMatching(problem) });
    expect(await ids()).toEqual({ ids: plain, problem: undefined });
    expect(asked).toHaveLength(1);
    pass(60_000);
    expect(await ids()).toEqual({ ids: plain, problem: expect.stringMatching(problem) });
  },
);

test('a server that is silent, or gone, holds up no search', async () => {
  const silent = await startFakeEmbeddings(() => runTimers());
  const { ids, runTimers } = rankerOf(silent.url);
  expect(await ids()).toMatchObject({ ids: ['clock', 'till', 'refund'], problem: expect.stringMatching(/too long/) });
  const gone = rankerOf('http://127.0.0.1:1/v1');
  expect(await gone.ids()).toMatchObject({ problem: expect.stringMatching(/cannot be reached/) });
});

test('a model that changes its dimension is told, and its new vectors are used afterwards', async () => {
  let size = 2;
  const { url } = await startFakeEmbeddings((texts, response) =>
    response.end(JSON.stringify({ data: texts.map((_, index) => ({ index, embedding: Array(size).fill(1) })) })),
  );
  const { ids, pass } = rankerOf(url);
  await ids();
  size = 3;
  expect(await ids([...found, read('new', 1)])).toMatchObject({ problem: expect.stringMatching(/dimensions/) });
  pass(60_000);
  expect(await ids()).toMatchObject({ problem: undefined });
});

test.each([
  ['http://example.com/v1', '', /does not name example.com/],
  ['http://127.0.0.1.example.com/v1', '', /does not name/],
  ['http://10.0.0.1/v1', 'example.com', /does not name 10.0.0.1/],
  ['file:///etc/passwd', '', /not an address of HTTP/],
  ['nonsense', '', /not an address/],
])('no text is sent to %s', async (url, host, problem) => {
  expect(await rankerOf(url, { host }).ids()).toMatchObject({ problem: expect.stringMatching(problem) });
});

test('a client that gives up ends the request', async () => {
  const { url } = await startFakeEmbeddings(() => undefined);
  const givingUp = new AbortController();
  const ranked = rankerOf(url).ranker.rank('who pays', found, givingUp.signal);
  givingUp.abort(new Error('gave up'));
  await expect(ranked).rejects.toThrow('gave up');
});
