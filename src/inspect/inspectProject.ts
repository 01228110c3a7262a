import { basename, join } from 'node:path';
import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { assertReady, inspectRepository } from '../git/repository.ts';
import { failure } from '../model/codes.ts';
import { projectNameProblem, rootPlanName } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { InspectedProject } from '../model/requests/vault.ts';
import { dirtyPaths } from '../plans/commits/dirtyPaths.ts';
import type { PlanServices } from '../plans/services.ts';
import { homeOf } from '../vault/discovery.ts';
import { projectPaths } from '../vault/layout.ts';
import { resolveFolder } from '../vault/namedFolder.ts';
import { readLinks } from '../vault/projectLinks.ts';
import { projectPlaceProblem } from '../vault/projectPlace.ts';

type ProjectPorts = Pick<PlanServices, 'disk' | 'layout' | 'git' | 'environment'>;

/**
 * Examines a folder before a person adopts it, and changes nothing. A folder without a repository is an error here,
 * since its first phase would be refused for it. Throws `project/missing` if there is no such folder.
 */
export async function inspectProject(ports: ProjectPorts, named: string): Promise<InspectedProject> {
  const { disk, layout } = ports;
  const project = await resolveFolder(disk, named);
  const name = basename(project);
  const ravelDirectory = join(project, projectPaths.ravel);
  const adoptedAs = (await readLinks(disk, layout)).find(({ leadsTo }) => leadsTo === ravelDirectory)?.name;
  const problem = projectNameProblem(name);
  const diagnostics: Diagnostic[] = [];
  const misplaced = await projectPlaceProblem(disk, layout, { path: project, home: homeOf(ports.environment) });
  if (misplaced !== undefined) diagnostics.push(misplaced.diagnostic);
  if (problem !== undefined && adoptedAs === undefined) {
    diagnostics.push(failure('plan/badId', name, `"${name}" cannot name a project: ${problem}.`).diagnostic);
  }
  const problems = await repositoryProblems(ports, project);
  diagnostics.push(...problems);
  const uncommitted = problems.length === 0 ? await countUncommitted(ports, project) : 0;
  return {
    project,
    name,
    hasRootPlan: await exists(disk, join(ravelDirectory, rootPlanName, planFiles.marker)),
    ...defined({ adoptedAs }),
    diagnostics,
    ...(uncommitted > 0 && { uncommitted }),
  };
}

/** The files of Ravel itself are committed by its phases. */
async function countUncommitted({ git }: ProjectPorts, project: string): Promise<number> {
  const { ravel } = projectPaths;
  const paths = [...(await dirtyPaths(git, project))];
  return paths.filter((path) => path !== ravel && !path.startsWith(`${ravel}/`)).length;
}

async function repositoryProblems({ git }: ProjectPorts, project: string): Promise<Diagnostic[]> {
  try {
    const repository = await inspectRepository(git, project);
    try {
      assertReady(repository, project);
      return [];
    } catch (error) {
      if (!isRavelError(error)) throw error;
      // It can be fix until a phase runs.
      return [{ ...error.diagnostic, severity: 'warning' }];
    }
  } catch (error) {
    if (isRavelError(error)) return [error.diagnostic];
    throw error;
  }
}
