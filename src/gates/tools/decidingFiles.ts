import { decidingRules, fitsName, leadsTo } from '../../model/decidingFiles.ts';

/** Whether the segments of a path, relative to the project, lead to a file that decides what other programs run. */
export function decidesWhatRuns(segments: readonly string[]): boolean {
  return decidingRules.some((rule) => leadsTo(rule, segments));
}

/** Whether a folder at this path may hold such a file by its place, as `.github` holds `.github/workflows/`. */
export function leadsToDeciding(segments: readonly string[]): boolean {
  return decidingRules.some((rule) =>
    rule.names.slice(1).some((_, at) => endsWith(segments, rule.names.slice(0, at + 1))),
  );
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return (
    names.length >= end.length && end.every((name, at) => fitsName(name, names[names.length - end.length + at] ?? ''))
  );
}
