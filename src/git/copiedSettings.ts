import type { Setting } from './programSettings.ts';

/**
 * What the copy of a repository takes over of the settings that count in the original: who commits, and how files are
 * stored. None of them starts a program or leads to another place; remotes, branches, hooks, filters and signatures are
 * not among them.
 */
const copiedKeys =
  /^(?:user\.(?:name|email)|(?:author|committer)\.(?:name|email)|core\.(?:repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|quotepath|autocrlf|eol|safecrlf|excludesfile|longpaths|whitespace|commentchar|sparsecheckout|sparsecheckoutcone)|index\.(?:version|sparse)|extensions\.(?:objectformat|refstorage)|i18n\.[a-z]+|commit\.cleanup)$/;

/**
 * Files of the copy have the times of the originals and cannot have the rest of what git compares: without the second
 * setting the first status would read every file, and run its filter.
 */
const ownOfCopy: readonly Setting[] = [
  { key: 'core.bare', value: 'false' },
  { key: 'core.checkstat', value: 'minimal' },
  { key: 'core.trustctime', value: 'false' },
];

/** The text of the configuration of a copy, from all settings in force in the original; of each key the last one counts. */
export function formatCopiedSettings(inForce: readonly Setting[]): string {
  const kept = inForce.filter(({ key }) => copiedKeys.test(key));
  const values = new Map([...kept, ...ownOfCopy].map(({ key, value }) => [key, value]));
  const lines: string[] = [];
  for (const [key, value] of values) {
    const [section = '', name = ''] = key.split('.');
    lines.push(`[${section}]`, `\t${name} = ${quoted(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function quoted(value: string): string {
  const escaped = value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
