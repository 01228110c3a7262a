import { type Git, gitText } from './git.ts';

/**
 * Where the repository of a directory comes from: the url of its remote `origin`, as others may see it. Undefined if
 * there is no remote or no repository, and where it is a folder of this machine.
 */
export async function readRemote(git: Git, directory: string): Promise<string | undefined> {
  const url = await gitText(git, directory, ['config', '--get', 'remote.origin.url'], { okCodes: [0, 1] });
  return url === '' ? undefined : shareableUrl(url);
}

/**
 * A url without name, password, query and fragment, any of which can be a secret; over ssh the name is part of the
 * address and stays. Undefined for a local path.
 */
export function shareableUrl(url: string): string | undefined {
  const match = /^([a-z][a-z0-9+.-]+):\/\/(?:([^/?#]*)@)?([^?#]*)/i.exec(url);
  // The short form of ssh: everything before the colon is a host; one letter is a Windows drive.
  if (match === null) return /^[^/\\:]{2,}:(?!\/\/)/.test(url) ? url : undefined;
  const [, scheme = '', user = '', rest] = match;
  if (scheme.toLowerCase() === 'file') return undefined;
  const name = /ssh$/i.test(scheme) && user !== '' ? `${user.split(':')[0]}@` : '';
  return `${scheme}://${name}${rest}`;
}
