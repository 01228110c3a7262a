import { describe, expect, test } from 'vitest';
import { entryOf } from '../../src/access/corePort.ts';

describe('entryOf', () => {
  test.each([
    ['Node', { node: '22.0.0' }, {}],
    [
      'the program of an editor, told to act as Node',
      { node: '22.0.0', electron: '35.0.0' },
      { environment: { ELECTRON_RUN_AS_NODE: '1' } },
    ],
  ])('starts the command line again with %s', (_name, versions, more) => {
    const entry = entryOf('/app/ravel.mjs', { execPath: '/bin/program', versions });
    expect(entry).toEqual({ program: '/bin/program', args: ['/app/ravel.mjs'], ...more });
  });
});
