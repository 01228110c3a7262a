import { expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { isUlid } from '../../src/model/id.ts';
import { sendFromWindow } from '../../src/ui/sendFromWindow.ts';
import { type VaultCloseReason, VaultLink } from '../../src/ui/vaultLink.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { ManualClock } from '../support/manualClock.ts';

test('a message whose owner goes away is sent to the next owner under the same id', async () => {
  const clock = new ManualClock();
  const ids: (string | undefined)[] = [];
  const link = new VaultLink({
    ...{ vault: '/vault', clock, random: () => 0 },
    onError: (error) => {
      throw error;
    },
    async open() {
      let close: (reason: VaultCloseReason) => void = () => undefined;
      const api = createFakeApi({
        dispatch({ id = '' }) {
          ids.push(id);
          if (ids.length > 1 && isUlid(id)) return { message: id };
          close('gone');
          throw failure('server/gone', 'connection', 'It is gone.');
        },
      });
      return {
        ...{ api, state: { kind: 'owner' }, onDidDrop: () => undefined, stop: async () => undefined },
        onDidClose(listener) {
          close = listener;
        },
      };
    },
  });
  await link.connect();
  const sent = await sendFromWindow({ clock }, (id) =>
    link.api.request('dispatch', { id, target: 'auto', reason: 'Seen it', body: 'Feed the cat.' }),
  );
  expect(ids).toEqual([sent.message, sent.message]);
  await link.stop();
});
