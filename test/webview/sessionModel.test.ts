import { expect, test } from 'vitest';
import { toDisposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import type { PageApi } from '../../src/model/webview.ts';
import { foldMs, SessionModel } from '../../webview/session/sessionModel.ts';
import { ManualClock } from '../support/manualClock.ts';
import { outputEvent } from './events.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;

function fail(error: unknown): never {
  throw error;
}

test('the rows of a session change in an animation frame, at most once per fold interval', async () => {
  const clock = new ManualClock();
  const events = new Emitter<RavelEvent>(fail);
  let draw: (() => void) | undefined;
  const transcript = [0, 1, 2].map((seq) => outputEvent(session, seq));
  const api = {
    onEvent: events.event,
    request: async (_name: string, { from }: { from: number }) => ({ events: transcript.slice(from), next: 3 }),
  } as unknown as PageApi;
  const model = new SessionModel({
    ...{ api, session, clock, onError: fail },
    nextFrame(callback) {
      draw = callback;
      return toDisposable(() => undefined);
    },
  });
  let changes = 0;
  model.onDidChange(() => {
    changes += 1;
  });
  const picture = () => {
    const callback = draw;
    draw = undefined;
    callback?.();
  };
  for (let n = 0; n < 20; n++) await Promise.resolve();
  expect(changes).toBe(0);
  picture();
  expect([changes, model.rows.length]).toEqual([1, 1]);
  events.emit(outputEvent(session, 3));
  events.emit(outputEvent(session, 4));
  picture();
  expect(changes).toBe(1);
  clock.advance(foldMs);
  picture();
  expect(changes).toBe(2);
  expect(model.rows).toMatchObject([{ kind: 'text', text: expect.stringMatching(/said 4$/) }]);
  expect((await model.events()).length).toBe(3);
  model.dispose();
  events.emit(outputEvent(session, 5));
  clock.advance(foldMs);
  picture();
  expect(changes).toBe(2);
});
