import { describe, expect, test } from 'vitest';
import { entryOf } from '../../src/cli/coreDoor.ts';

describe('starting the command line again', () => {
  test.each([
    ['by a Node', { node: '22.0.0' }, {}],
    [
      'by the program of an editor',
      { node: '22.0.0', electron: '35.0.0' },
      { environment: { ELECTRON_RUN_AS_NODE: '1' } },
    ],
  ])('%s', (_name, versions, more) => {
    const entry = entryOf('/app/ravel.mjs', { execPath: '/bin/program', versions });
    expect(entry).toEqual({ program: '/bin/program', args: ['/app/ravel.mjs'], ...more });
  });
});
