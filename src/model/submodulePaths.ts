/** Bytes of a `.gitmodules` file that are read. */
export const submodulesBytesMax = 4 * 1024 * 1024;

/** Where the submodules of a repository lie, relative to its top, as the text of its `.gitmodules` says. */
export function submodulePaths(text: string): string[] {
  return [...text.matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm)].map(([, path = '']) => path.trim());
}
