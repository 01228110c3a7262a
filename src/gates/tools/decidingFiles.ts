import { decidingRules, endsWithNames, leadsTo } from '../../model/decidingFiles.ts';

/** Whether the segments of a path, relative to the project, lead to a file that decides what other programs run. */
export function decidesWhatRuns(segments: readonly string[]): boolean {
  return decidingRules.some((rule) => leadsTo(rule, segments));
}

/** Whether a folder at this path may hold such a file by its place, as `.github` holds `.github/workflows/`. */
export function leadsToDeciding(segments: readonly string[]): boolean {
  return decidingRules.some(({ names }) =>
    names.slice(1).some((_, at) => endsWithNames(segments, names.slice(0, at + 1))),
  );
}
