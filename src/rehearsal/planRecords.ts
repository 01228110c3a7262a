import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../base/disk.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import type { StateRecords } from '../model/rehearsal.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { parseYaml } from '../yaml/yaml.ts';

const recordSchema = z.looseObject({ id: z.string(), title: z.string() });

const receivedSchema = z.object({
  id: z.string(),
  from: z.string(),
  state: z.string(),
  task: z.string().nullish(),
  declined_reason: z.string().nullish(),
});

/** The tasks and entries of a plan with all their fields; none of a file that cannot be read, which a run of it tells. */
export async function readPlanRecords(disk: Disk, directory: string): Promise<StateRecords> {
  const texts = await loadPlanTexts(disk, directory, [planFiles.backlog, planFiles.memory]);
  const read = <T>(file: PlanFile, list: string, schema: z.ZodType<T>): T[] => {
    const path = join(directory, file);
    const { value } = parseYaml(texts.get(file) ?? '', { file: path, subject: directory });
    const found = z.looseObject({ [list]: z.array(z.unknown()) }).safeParse(value).data?.[list];
    return (Array.isArray(found) ? found : []).flatMap((one) => schema.safeParse(one).data ?? []);
  };
  return {
    tasks: read(planFiles.backlog, 'tasks', recordSchema),
    memory: read(planFiles.memory, 'entries', recordSchema),
    received: read(planFiles.backlog, 'received', receivedSchema),
  };
}
