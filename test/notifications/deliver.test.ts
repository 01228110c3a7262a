import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type NotifySettings, notifySettingsSchema, type PersonNotification } from '../../src/model/notification.ts';
import { createDeliver, deliveryTimeoutMs } from '../../src/notifications/deliver.ts';
import { testNeeding } from '../support/machine.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const notification: PersonNotification = {
  ...{
    key: 'question:1',
    kind: 'question',
    title: 'shop asks',
    text: 'Which colour?',
    plan: 'shop/project-root',
    id: '1',
  },
  command: 'ravel approvals show 1',
};

/** Programs of these names, each a shell script, in the only folder of PATH besides the system's. */
async function deliverWith(
  scripts: Readonly<Record<string, string>>,
  settings: Partial<NotifySettings>,
  clock: ManualClock | typeof systemClock = systemClock,
) {
  const root = await makeTemporaryDirectory();
  const bin = join(root, 'bin');
  await mkdir(bin);
  for (const [name, body] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: root, OUT: join(root, 'out') };
  const deliver = createDeliver({
    ...{ clock, environment, settings: { ...notifySettingsSchema.parse({}), ...settings } },
    withoutSecrets: (text) => text.replaceAll('plain words that open a door', '[DOOR]'),
  });
  return { root, deliver, out: () => readFile(join(root, 'out'), 'utf8') };
}

test('a program of the person gets one JSON object on its standard input, and its own arguments', async () => {
  const { deliver, out } = await deliverWith(
    { tell: 'echo "$1" > "$OUT"; cat >> "$OUT"' },
    { command: ['tell', 'me'] },
  );
  expect(await deliver(notification)).toEqual([]);
  const [argument, line = ''] = (await out()).split('\n');
  expect(argument).toBe('me');
  expect(JSON.parse(line)).toEqual({
    ...{ kind: 'question', title: 'shop asks', text: 'Which colour?' },
    ...{ plan: 'shop/project-root', id: '1', command: 'ravel approvals show 1' },
  });
});

test('a program in the home folder is found by ~/', async () => {
  const { deliver, out } = await deliverWith({ tell: 'echo told > "$OUT"' }, { command: '~/bin/tell' });
  expect(await deliver(notification)).toEqual([]);
  expect(await out()).toBe('told\n');
});

testNeeding(['Linux'], 'the desktop is told by notify-send, without markup or options of a text', async () => {
  const script = 'for one in "$@"; do printf "[%s]" "$one" >> "$OUT"; done';
  const { deliver, out } = await deliverWith({ 'notify-send': script }, { desktop: true });
  expect(await deliver({ ...notification, title: '--urgency=critical', text: '<b>$(id)</b> & more' })).toEqual([]);
  expect(await out()).toBe(
    '[--app-name=Ravel][--][--urgency=critical][&lt;b&gt;$(id)&lt;/b&gt; &amp; more\nravel approvals show 1]',
  );
});

test('what looks like a secret is left out, and texts are bounded and on one line', async () => {
  const { deliver, out } = await deliverWith({ tell: 'cat > "$OUT"' }, { command: 'tell' });
  const secret = `ghp_${'85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S'}`;
  expect(
    await deliver({
      ...notification,
      title: `a\u001b[31m\n${'b'.repeat(500)}`,
      text: `token ${secret} ${'c'.repeat(9000)}`,
    }),
  ).toEqual([]);
  const { title, text } = JSON.parse(await out());
  expect(text).not.toContain(secret.slice(0, 12));
  expect(text).toContain('left out');
  expect([title.length, text.length].map((length) => length <= 302)).toEqual([true, true]);
  expect(title).toMatch(/^[\x20-\x7e…]+$/);
});

test.each<[string, Readonly<Record<string, string>>, Partial<NotifySettings>, RegExp]>([
  ['fails', { tell: 'echo no network >&2; exit 3' }, { command: 'tell' }, /^tell ended with code 3: no network\.$/],
  ['is missing', {}, { command: 'tell' }, /^tell could not be started: .*ENOENT/],
])(
  'a program that %s is a problem, and the other way is used all the same',
  async (_title, scripts, settings, expected) => {
    const { deliver, out } = await deliverWith(
      { 'notify-send': 'echo shown > "$OUT"', osascript: 'echo shown > "$OUT"', ...scripts },
      { desktop: true, ...settings },
    );
    expect(await deliver(notification)).toEqual([expect.stringMatching(expected)]);
    expect(await out()).toBe('shown\n');
  },
);

test('a program that hangs is ended after its time, with what it started', async () => {
  const clock = new ManualClock();
  const { deliver } = await deliverWith({ tell: 'sleep 600 & wait' }, { command: 'tell' }, clock);
  const ended = deliver(notification);
  await clock.whenScheduled();
  clock.advance(deliveryTimeoutMs);
  await clock.whenScheduled();
  clock.advance(deliveryTimeoutMs);
  expect(await ended).toEqual(['tell was ended because it took longer than 10 s.']);
});
