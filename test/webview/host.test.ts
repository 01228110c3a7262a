import { expect, test } from 'vitest';
import { type EditorLine, type KeptPage, type PageLine, pageProtocol } from '../../src/model/webview.ts';
import { connectHost } from '../../webview/host.ts';
import { outputEvent, stamp } from './events.ts';

const plan = stamp.actor;
const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as never;

/** A page whose editor is the test. */
function makePage(kept?: unknown) {
  const sent: PageLine[] = [];
  const keeps: KeptPage[] = [];
  const listeners: ((line: EditorLine) => void)[] = [];
  const transport = {
    send: (line: PageLine) => void sent.push(line),
    onLine: (listener: (line: EditorLine) => void) => void listeners.push(listener),
    keep: (page: KeptPage) => void keeps.push(page),
    kept: () => kept,
  };
  const host = connectHost(transport, (error) => {
    throw error;
  });
  const hear = (line: EditorLine) => {
    for (const listener of listeners) listener(line);
  };
  return { host, sent, keeps, hear };
}

test('a page asks, gives up and is answered by the id of its request', async () => {
  const { host, sent, hear } = makePage();
  const controller = new AbortController();
  const [status, list] = [host.api.request('status', {}), host.api.request('list', {}, controller.signal)];
  controller.abort();
  await expect(list).rejects.toMatchObject({ diagnostic: { code: 'run/stopped' } });
  hear({ type: 'result', id: 0, result: 'state' });
  expect(await status).toBe('state');
  expect(sent).toEqual([
    { type: 'request', id: 0, name: 'status', params: {} },
    { type: 'request', id: 1, name: 'list', params: {} },
    { type: 'cancel', id: 1 },
  ]);
});

test('each event of a batch is told', () => {
  const { host, hear } = makePage();
  const events = [0, 1].map((seq) => outputEvent(session, seq));
  const heard: unknown[] = [];
  host.api.onEvent((event) => heard.push(event));
  hear({ type: 'events', events });
  expect(heard).toEqual(events);
});

test('a page begins with what it kept itself, and keeps what is shown then', () => {
  const { host, sent, keeps, hear } = makePage({ drafts: { 'note/a': 'Mind the' } });
  host.start();
  hear({ type: 'show', view: { plan }, window: {}, drafts: { 'note/a': 'Mind' } });
  host.drafts.set('note/a', 'Mind the gap');
  expect(keeps).toEqual([
    { plan, drafts: { 'note/a': 'Mind the' } },
    { plan, drafts: { 'note/a': 'Mind the gap' } },
  ]);
  expect(sent).toEqual([
    { type: 'ready', protocol: pageProtocol },
    { type: 'draft', key: 'note/a', text: 'Mind the gap' },
  ]);
});
