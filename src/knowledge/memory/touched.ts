import { isAbsolute, relative, resolve, sep } from 'node:path';
import { foldPath, pathsIn, samePath } from './namesIn.ts';

/** A tool call of a session: a tool of its program, and what it was called with. */
export interface ToolUse {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a tool call was about. */
export interface Touched {
  /** Files of the project, relative to it, with `/` between the parts. */
  readonly paths: readonly string[];
  /** The lines that it wrote or removed, or the command that it ran. */
  readonly code: string;
}

/** Longest text that is looked into; what a session writes can be of any size. */
const codeLengthMax = 32_768;
const pathsMax = 50;

/** Folders of a project that no session works on. */
const ownFolders = new Set(['.git', 'ravel']);

/**
 * What a tool call touched of a project, by its input alone: nothing is read. A tool that is not known touches nothing,
 * and so does a path outside of the project.
 */
export function touchedBy({ tool, input }: ToolUse, projectDirectory: string, cwd = projectDirectory): Touched {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : '');
  const within = (paths: readonly string[]) => [
    ...new Set(paths.slice(0, pathsMax).flatMap((path) => relativePath(path, projectDirectory, cwd))),
  ];
  switch (tool) {
    case 'Read':
      return { paths: within([text('file_path')]), code: '' };
    case 'Write':
      return { paths: within([text('file_path')]), code: start(text('content')) };
    case 'Edit':
      return { paths: within([text('file_path')]), code: changedLines(text('old_string'), text('new_string')) };
    case 'NotebookEdit':
      return { paths: within([text('notebook_path')]), code: start(text('new_source')) };
    case 'Grep':
      return { paths: within([text('path')]), code: start(text('pattern')) };
    case 'Bash': {
      const command = start(text('command'));
      return { paths: within(pathsIn(command)), code: command };
    }
    default:
      return { paths: [], code: '' };
  }
}

function relativePath(path: string, projectDirectory: string, cwd: string): string[] {
  if (path === '' || path.includes('\0')) return [];
  const inside = relative(projectDirectory, resolve(cwd, path));
  if (inside === '' || isAbsolute(inside)) return [];
  const parts = inside.split(sep);
  return parts[0] === '..' || ownFolders.has(foldPath(parts[0] ?? '')) ? [] : [samePath(parts.join('/'))];
}

/** The lines that only one of two texts has. */
function changedLines(before: string, after: string): string {
  const old = start(before).split('\n');
  const now = start(after).split('\n');
  const [had, has] = [new Set(old), new Set(now)];
  return [...old.filter((line) => !has.has(line)), ...now.filter((line) => !had.has(line))].join('\n');
}

function start(text: string): string {
  return text.slice(0, codeLengthMax);
}
