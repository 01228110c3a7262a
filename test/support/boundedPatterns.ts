/**
 * Regular expressions that may take more than linear time, or that cannot be judged, and why they do no harm: by how they are
 * written, or by the file of one that a program puts together. The judge takes some for worse than they are, since it does
 * not know lookbehinds by their meaning.
 */
export const boundedPatterns: Readonly<Record<string, string>> = {
  // Put together by a program.
  'src/routing/facts/tokens.ts': 'sticky, and every repetition that can fail has a bound',
  'src/cli/render/terminalText.ts': 'one of a few fixed sequences',
  'src/yaml/yamlAppend.ts': 'a fixed name at the beginning of a line',
  'webview/session/readableText.ts': 'each run of characters ends where the next one begins',
  // Of little text, or not as slow as the judge takes them to be.
  [String.raw`/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s)>"'${'`'}]+)/gi`]: 'at most 31 characters from each place',
  [String.raw`/((?<![\w/:@.-])(?:~|\.{1,2}|[\w@.-]+)?(?:\/[\w@.*{}-]+)+\/?)/g`]:
    'begins only where no such run has begun',
  [String.raw`/(?<![\p{L}\w-])-*(\p{L}[\w-]*(?:(?:\.|::|#)\p{L}[\w-]*)+)(?<!-)(?![\p{L}\w])/gu`]:
    'begins only where no such run has begun',
  [String.raw`/(\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?)|(?<![\p{L}\d_.])(-?\d+(?:[.:]\d+)*)(%|[a-zµ]{1,4}(?![\p{L}\d_]))?|[\p{L}_][\p{L}\d_]*/gu`]:
    'begins a number only where none has begun',
  [String.raw`/“([^”\n]{2,120})”/g`]: 'of at most 65,536 characters, and looks 120 ahead from each',
  [String.raw`/cannot lock ref '[^'\n]*': is at [0-9a-f]+ but expected|reference already exists/`]:
    'of at most 64 KiB that git itself wrote, and ends at the line',
  [String.raw`/^(\s*(?:-\s+)*)([\w.-]+)(?=\s*[:=])/`]: 'of one line, which it reads at most twice',
  [String.raw`/^(?!#[ \t]).*\S/m`]: 'reads each line once',
  [String.raw`/[A-Za-z_]\w*(?=\s?\()/g`]: 'of a program that is short, or refused before',
  '/[A-Za-z_]+$/': 'of twelve characters',
  '/^(?:_JAVA_OPTIONS|J.*_OPTIONS|JAVA_HOME|CLASSPATH|.*_OPTS|(?:MAVEN|GRADLE|DOTNET)_(?!CLI_TELEMETRY_OPTOUT).*|MSBUILD.*)$/i':
    'of the name of a variable, which has no line end',
  '/^(?:.*PAGER|.*_EDITOR|.*_ASKPASS|.*_PRELOAD|.*_COMMAND|.*_WRAPPER|.*_LAUNCHER|.*_SHELL|ZDOTDIR)$/i':
    'of the name of a variable, which has no line end',
  [String.raw`/\n+|(?<=[.!?;])\s+/`]: 'begins a run of blanks only behind a mark',
  [String.raw`/^branch\..*\.(?!(?:remote|pushremote|merge)$)[a-z0-9-]+$/s`]: 'of the name of one setting of git',
};
