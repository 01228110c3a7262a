import type { Range } from '../base/errors.ts';
import { backlogSchema, dependencyCycle, staleStatus, type Task } from '../model/backlog.ts';
import { diagnostic } from '../model/codes.ts';
import type { DocumentRecord } from '../model/document.ts';
import { nearestNames } from '../model/nearest.ts';
import type { YamlPlace, YamlSource } from '../yaml/yamlDocument.ts';
import { type Found, found, replacements, replaceWord } from './found.ts';
import type { RawReference } from './records.ts';

const reasons: Readonly<Record<string, string>> = {
  results_non_empty: 'it has results',
  dependencies_satisfied: 'all that it depends on is done',
};

/** What contradicts itself in a backlog whose form is right. */
export function backlogFindings(
  source: YamlSource,
  records: readonly DocumentRecord[],
  references: readonly RawReference[],
  place: YamlPlace,
): Found[] {
  const parsed = backlogSchema.safeParse(source.value);
  if (!parsed.success) return [];
  const tasks = parsed.data.tasks ?? [];
  const shown = records.filter(({ kind }) => kind === 'task');
  const ranges = new Map(shown.map((record) => [record.id, record.idRange]));
  const rangeOf = (id: string | undefined) => ranges.get(id);
  return [
    ...unknownDependencies(source, { tasks, references, place }),
    ...cycle(tasks, rangeOf, place),
    ...tasks.flatMap((task, at) => stale(task, tasks, shown[at]?.idRange, { at, place, source })),
  ];
}

function unknownDependencies(
  source: YamlSource,
  { tasks, references, place }: { tasks: readonly Task[]; references: readonly RawReference[]; place: YamlPlace },
): Found[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return references
    .filter(({ by, name }) => by === 'task' && !ids.has(name))
    .map(({ name, range, path }) => {
      const owner = tasks[Number(path[1])]?.id ?? '';
      const message = `The task "${owner}" depends on "${name}", which this backlog does not have; it counts as unmet.`;
      const where = { severity: 'warning', file: place.file, range } as const;
      return found(diagnostic('state/unknownDependency', place.subject, message, where), () => {
        const others = [...ids].filter((id) => id !== owner);
        const near = replacements(nearestNames(name, others), (id) => replaceWord(source, path, id));
        return [...near, { title: 'Remove the dependency', change: { yaml: [{ op: 'delete', path }] } }];
      });
    });
}

function cycle(
  tasks: readonly Task[],
  rangeOf: (id: string | undefined) => Range | undefined,
  { file, subject }: YamlPlace,
): Found[] {
  const ids = dependencyCycle(tasks);
  const range = rangeOf(ids?.[0]);
  if (ids === undefined || range === undefined) return [];
  const related = ids.slice(1, -1).flatMap((id) => {
    const place = rangeOf(id);
    return place === undefined ? [] : [{ file, range: place, message: `"${id}" is part of the cycle.` }];
  });
  const message = `The dependencies form a cycle: ${ids.join(' → ')}.`;
  return [
    { diagnostic: diagnostic('state/dependencyCycle', subject, message, { file, range }), related, fixes: () => [] },
  ];
}

function stale(
  task: Task,
  tasks: readonly Task[],
  range: Range | undefined,
  { at, place, source }: { readonly at: number; readonly place: YamlPlace; readonly source: YamlSource },
): Found[] {
  const repair = staleStatus(task, tasks);
  if (repair === undefined || range === undefined) return [];
  const message = `The task "${task.id}" is "${task.status}", but ${reasons[repair.reason] ?? repair.reason}.`;
  const change = replaceWord(source, ['tasks', at, 'status'], repair.to);
  return [
    found(
      diagnostic('state/staleStatus', place.subject, message, { severity: 'warning', file: place.file, range }),
      () => [{ title: `Set the status to "${repair.to}"`, isPreferred: true, change }],
    ),
  ];
}
