import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'vitest';

/** What a test can need of the machine, and how to find out whether it is there. */
const checks = {
  Linux: () => process.platform === 'linux',
  bubblewrap: () => runs('bwrap', '--version'),
  'user namespaces': () => runs('bwrap', '--unshare-user', '--ro-bind', '/', '/', 'true'),
  zsh: () => runs('zsh', '--version'),
  fish: () => runs('fish', '--version'),
  root: () => process.getuid?.() === 0,
  'pid namespaces': () => runs('unshare', '--pid', '--fork', '--mount-proc', 'true'),
  'a loop device': () => runs('unshare', '--mount', 'sh', '-c', mountImage),
} as const;

/** In a mount namespace of its own, with which the mount goes. */
const mountImage = `
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" && mkdir disk && truncate -s 1M image &&
mkfs.ext4 -q -F image && mount -o loop image disk && umount disk`;

export type Need = keyof typeof checks;

/** No package brings these, and a container seldom has them. All the others are Linux's own. */
const rare: readonly Need[] = ['root', 'a loop device'];

function isRare(need: Need): boolean {
  return process.platform !== 'linux' || rare.includes(need);
}

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test that was not run for want of something rare: it is named, and fails no run. */
    lacksRare?: boolean;
  }
}

/**
 * A test that this machine may be unable to run. Without what it needs it counts as not run, the last line of the run says
 * so, and under `CI` it fails the run; but for what is rare.
 */
export function testNeeding(
  needs: readonly Need[],
  title: string,
  body: (context: TestContext) => Promise<void> | void,
): void {
  test(title, async (context) => {
    const missing = needs.filter((need) => !checks[need]());
    if (missing.some(isRare)) context.task.meta.lacksRare = true;
    if (missing.length > 0) context.skip(missing.join(' and '));
    await body(context);
  });
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
