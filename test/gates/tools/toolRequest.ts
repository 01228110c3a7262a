import { judgeTool, type ToolVerdict } from '../../../src/gates/tools/toolGate.ts';
import type { ToolRequest } from '../../../src/model/verdict.ts';

const project = '/srv/demo';

export interface Scene {
  /** Paths of the project whose names say that they hold secrets. */
  readonly secrets?: readonly string[];
  readonly confinement?: ToolRequest['confinement'];
  readonly network?: ToolRequest['network'];
  readonly passedVariables?: ToolRequest['passedVariables'];

  /** Where links of the project lead. */
  readonly links?: Readonly<Record<string, string>>;
}

/** What the gate says of a tool in a project that is only described. */
export function judgeIn(scene: Scene, tool: string, input: Record<string, unknown>): ToolVerdict {
  const { secrets = [], confinement = 'unconfined', links = {} } = scene;
  const files = secrets.map((path) => `${project}/${path}`);
  return judgeTool({
    ...{ purpose: 'work', confinement, projectDirectory: project, ravelDirectory: `${project}/ravel` },
    ...{ request: { tool_name: tool, input } },
    ...(scene.network !== undefined && { network: scene.network }),
    ...(scene.passedVariables !== undefined && { passedVariables: scene.passedVariables }),
    resolvePath: (path) => {
      const link = Object.keys(links).find(
        (from) => path === `${project}/${from}` || path.startsWith(`${project}/${from}/`),
      );
      return link === undefined ? path : (links[link] ?? '') + path.slice(project.length + 1 + link.length);
    },
    secretFilesBelow: (folder) => files.filter((file) => file.startsWith(`${folder}/`)),
  });
}

export function decisionOn(command: string, scene: Scene = {}): ToolVerdict['decision'] {
  return judgeIn(scene, 'Bash', { command }).decision;
}
