import { describe, expect, test } from 'vitest';
import { defaultSettings, settingsSchema } from '../../src/model/settings.ts';

test('an empty settings file yields all defaults', () => {
  expect(settingsSchema.parse({})).toEqual(defaultSettings);
  expect(defaultSettings).toMatchObject({
    run: { harness: 'claude-code' },
    actors: { 'max-active': 20, 'idle-minutes': 5, crashes: 3, 'crash-window-seconds': 60 },
    dream: { 'headroom-words': 1500 },
    gates: { 'finish-attempts': 3 },
  });
});

test('a single key leaves the rest of its table at the defaults', () => {
  const { limits } = settingsSchema.parse({ limits: { 'session-usd': 2 } });
  expect(limits).toEqual({ ...defaultSettings.limits, 'session-usd': 2 });
});

describe('settingsSchema refuses', () => {
  test.each<[object, string]>([
    [{ run: { harness: 'nobody' } }, 'run.harness'],
    [{ limits: { 'session-minutes': 0 } }, 'limits.session-minutes'],
    [{ limits: { 'session-usd': '5' } }, 'limits.session-usd'],
    [{ actors: { 'max-active': 0 } }, 'actors.max-active'],
    [{ dream: { 'headroom-words': -1 } }, 'dream.headroom-words'],
    [{ dream: { 'headroom-words': 1.5 } }, 'dream.headroom-words'],
    [{ gates: { 'finish-attempts': 0 } }, 'gates.finish-attempts'],
    [{ vault: { commit: 'always' } }, 'vault.commit'],
    [{ harnesses: { 'claude-code': { program: '' } } }, 'harnesses.claude-code.program'],
  ])('%j, naming the path %s', (value, path) => {
    const { error } = settingsSchema.safeParse(value);
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});
