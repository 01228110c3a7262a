import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Backlog, backlogSchema } from '../../src/model/backlog.ts';
import { planFiles } from '../../src/model/plan.ts';
import { readYaml } from '../../src/yaml/yaml.ts';

/** The backlog in a plan's folder; an empty one if there is none. */
export function backlogIn(directory: string): Backlog {
  const file = join(directory, planFiles.backlog);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return readYaml(backlogSchema, text, { file: planFiles.backlog, subject: '' }).value ?? {};
}
