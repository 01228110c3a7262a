import type { Mount, SandboxLayout } from './sandboxLayout.ts';

/**
 * Arguments of bubblewrap for a sandbox, without the command: namespaces of its own for users, processes, the network
 * unless that is open, and the rest; a file system that holds what is mounted into it and nothing else, and whose folders in
 * between cannot be written. What a command starts ends with it, since it is in the same process namespace. Sources are
 * tried: what went away since is left out.
 */
export function bubblewrapArguments({ mounts, network }: Pick<SandboxLayout, 'mounts' | 'network'>): string[] {
  return [
    ...[
      '--unshare-all',
      ...(network === 'open' ? ['--share-net'] : []),
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
    ],
    ...['--dev', '/dev', '--proc', '/proc'],
    ...mounts.flatMap(mountArguments),
    ...['--remount-ro', '/'],
  ];
}

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case 'writable':
      return ['--bind-try', mount.path, mount.path];
    case 'readable':
      return ['--ro-bind-try', mount.path, mount.path];
    case 'empty':
      return ['--tmpfs', mount.path];
    case 'private':
    case 'copied':
      return ['--bind', mount.from, mount.path];
    case 'link':
      return ['--symlink', mount.from, mount.path];
  }
}

/** What keeps bubblewrap from starting, by what it says: the help differs. */
export type BubblewrapProblem = 'namespaces' | 'proc' | 'other';

export function bubblewrapProblem(stderr: string): BubblewrapProblem {
  if (/new namespace|uid map|gid map|RTM_NEWADDR|NETLINK_ROUTE|unshare|user namespaces/i.test(stderr))
    return 'namespaces';
  if (/mount proc/i.test(stderr)) return 'proc';
  return 'other';
}
