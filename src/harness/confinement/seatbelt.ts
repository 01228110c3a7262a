import type { Mount, SandboxLayout } from './sandboxLayout.ts';

/**
 * A profile for the sandbox of macOS. It cannot show another file in the place of one, so what commands must not read is
 * refused; and it has no namespaces, so processes of the same person stay visible, and their environment does not.
 * Rules that come later go first.
 */
export function seatbeltProfile({
  mounts,
  others,
  emptied,
  network,
}: Pick<SandboxLayout, 'mounts' | 'others' | 'emptied' | 'network'>): string {
  return [
    '(version 1)',
    '(allow default)',
    ...(network === 'open' ? ['(deny network* (local unix) (remote unix))'] : ['(deny network*)']),
    '(deny file-write*)',
    '(deny signal (target others))',
    '(deny mach-lookup (global-name "com.apple.securityd") (global-name "com.apple.SecurityServer"))',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (subpath "/dev/fd"))',
    // Where the way to a project leads through one of these, programs ask what it is.
    ...others.map((path) => `(deny file-read-data file-write* (subpath ${text(path)}))`),
    ...mounts.flatMap(rulesOf),
    ...emptied.map((path) => `(deny file-read* file-write* (literal ${text(path)}))`),
  ].join('\n');
}

function rulesOf(mount: Mount): string[] {
  const path = `(subpath ${text(mount.path)})`;
  switch (mount.kind) {
    case 'writable':
      return [`(allow file-read* file-write* ${path})`];
    case 'readable':
    // A copy cannot be shown here: what would change it fails.
    case 'copied':
      return [`(allow file-read* ${path})`, `(deny file-write* ${path})`];
    case 'link':
      return [];
    case 'empty':
      return [`(deny file-read* file-write* ${path})`];
    case 'private':
      return [
        `(deny file-read-data file-write* ${path})`,
        `(allow file-read* file-write* (subpath ${text(mount.from)}))`,
      ];
  }
}

function text(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
