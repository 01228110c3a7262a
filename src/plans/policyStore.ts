import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { CompiledLayer, PolicyFault, ToolPolicy } from '../gates/policy/toolPolicy.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { planFiles } from '../model/plan.ts';
import type { PolicyAsker, PolicyLayer, PolicySource, RequestPolicy } from '../model/policy.ts';
import { projectPaths, type VaultLayout } from '../vault/layout.ts';
import { parsePlanPolicy, parsePolicyFile, policyRanges } from '../vault/policyFile.ts';
import type { PlanLocation } from '../vault/walk.ts';

export interface PolicyStorePorts {
  readonly disk: Disk;
  readonly layout: Pick<VaultLayout, 'policy' | 'settings' | 'identity'>;
  /** The home folder that `~/` stands for; absolute. */
  readonly home: string;
  /** Told once for each fault of a text that is newly seen. */
  readonly onDiagnostic: (problem: Diagnostic) => void;
}

/** One layer as it was last looked at. */
export interface PolicyPage {
  readonly layer: PolicyLayer;
  readonly file: string;
  readonly text: string;
  /** Of the last text that was good; undefined if there was none, or nothing in it. */
  readonly compiled: CompiledLayer | undefined;
  /** That the text of now is not good. */
  readonly isBroken: boolean;
  /** That there is no good text to go by. */
  readonly isMissing: boolean;
  /** What is wrong with a broken text, first of all. */
  readonly cause?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The models that a plan names for its phases, which lie over those of the vault. */
  readonly models?: Readonly<Record<string, string | undefined>>;
}

/** The policy of one place, and why it cannot be used if that is so. */
export interface PlacePolicy {
  readonly pages: readonly PolicyPage[];
  readonly policy?: ToolPolicy;
  readonly problem?: string;
}

/** Where a policy holds: without a plan it is the vault's alone. */
export type PolicyPlace = Pick<PlanLocation, 'id' | 'directory' | 'ravelDirectory' | 'projectDirectory'>;

/**
 * The policies of a vault, its projects and its plans. Files are looked at again for each request, by their stamps, so that
 * a change counts at once. A text that is not good leaves the last good one in force; if there was none, nothing is
 * allowed: what a policy was to stop is not known then.
 */
export class PolicyStore {
  readonly #ports: PolicyStorePorts;
  readonly #reads = new SerialQueue();
  readonly #pages = new Map<string, { readonly stamps: string; readonly page: PolicyPage }>();
  readonly #lines = new WeakMap<PolicyPage, ReadonlyMap<string, number>>();
  readonly #policies = new Map<string, { readonly layers: readonly CompiledLayer[]; readonly policy: ToolPolicy }>();

  constructor(ports: PolicyStorePorts) {
    this.#ports = ports;
  }

  /** What decides what sessions can do, and where links in its place lead; no session changes these files. Absolute. */
  async filesOf(place: PolicyPlace | undefined): Promise<readonly string[]> {
    const { policy, settings, identity } = this.#ports.layout;
    const files = [
      policy,
      settings,
      identity,
      ...(place === undefined ? [] : [join(place.ravelDirectory, projectPaths.policy)]),
    ];
    const real = await Promise.all(files.map((file) => ifThere(file, () => this.#ports.disk.realPath(file))));
    return [...new Set([...files, ...real.flatMap((file) => file ?? [])])];
  }

  /**
   * The parts of a `ToolRequest` that the policy of a place gives; paths of rules start at `project`. The models that a
   * plan names go before that of the asker, unless `isFixed`.
   */
  async forRequest(
    place: PolicyPlace | undefined,
    asker: PolicyAsker,
    project: string,
    isFixed = false,
  ): Promise<{ policy?: RequestPolicy; policyProblem?: string; policyFiles: readonly string[] }> {
    const { policy, problem, pages } = await this.of(place);
    const own = isFixed ? undefined : pages.at(-1)?.models;
    const model = own?.[asker.phase] ?? own?.['default'] ?? asker.model;
    return {
      policyFiles: await this.filesOf(place),
      ...defined({ policy: policy?.for({ ...asker, ...defined({ model }) }, project), policyProblem: problem }),
    };
  }

  of(place: PolicyPlace | undefined): Promise<PlacePolicy> {
    return this.#reads.run(async () => {
      const pages = [await this.#read('vault', this.#ports.layout.policy)];
      if (place !== undefined) {
        pages.push(await this.#read('project', join(place.ravelDirectory, projectPaths.policy)));
        pages.push(await this.#read('plan', join(place.directory, planFiles.marker)));
      }
      const missing = pages.find(({ isMissing }) => isMissing);
      const problem =
        missing === undefined
          ? undefined
          : `The ${missing.layer}’s policy cannot be used, so every tool is refused until ${placeOf(missing)} is repaired: ${missing.cause ?? ''}`;
      return { pages, ...defined({ policy: await this.#compiled(place, pages), problem }) };
    });
  }

  /** From 1, in the file as it was last read; undefined of one that is broken by now. */
  lineOf({ file, path }: Pick<PolicySource, 'file' | 'path'>): number | undefined {
    const page = this.#pages.get(file)?.page;
    if (page?.compiled === undefined || page.isBroken) return undefined;
    const known = this.#lines.get(page) ?? linesOf(page.compiled, page);
    this.#lines.set(page, known);
    return known.get(path.join(' '));
  }

  /** For each file with which a policy of the vault or of these projects cannot be used, what is wrong with it. */
  async sharedFaults(places: readonly PolicyPlace[]): Promise<readonly Diagnostic[]> {
    return (await this.sharedPages(places)).flatMap(faultsOf);
  }

  /** The policy of the vault, and those of these projects. */
  sharedPages(places: readonly PolicyPlace[]): Promise<readonly PolicyPage[]> {
    const folders = new Set(places.map(({ ravelDirectory }) => ravelDirectory));
    return this.#reads.run(async () => {
      const pages = [await this.#read('vault', this.#ports.layout.policy)];
      const files = [...folders].map((folder) => join(folder, projectPaths.policy));
      const stamps = Array.from(await this.#ports.disk.stampEach(files));
      const size = stamps.length / Math.max(1, files.length);
      for (const [at, file] of files.entries()) {
        const own = stamps.slice(at * size, (at + 1) * size).join(' ');
        pages.push(await this.#readStamped('project', file, own));
      }
      return pages;
    });
  }

  /** The same of the policy in a plan's own marker. */
  planFaults({ directory }: Pick<PolicyPlace, 'directory'>): Promise<readonly Diagnostic[]> {
    return this.#reads.run(async () => faultsOf(await this.#read('plan', join(directory, planFiles.marker))));
  }

  async #compiled(place: PolicyPlace | undefined, pages: readonly PolicyPage[]): Promise<ToolPolicy | undefined> {
    const layers = pages.flatMap(({ compiled }) => (compiled === undefined ? [] : [compiled]));
    if (layers.length === 0) return undefined;
    const key = place?.id ?? '';
    const known = this.#policies.get(key);
    if (
      known !== undefined &&
      known.layers.length === layers.length &&
      known.layers.every((one, at) => one === layers[at])
    )
      return known.policy;
    const { ToolPolicy: Policy } = await import('../gates/policy/toolPolicy.ts');
    const policy = new Policy(layers, this.#ports.home);
    if (this.#policies.size >= keptMax) this.#policies.clear();
    this.#policies.set(key, { layers, policy });
    return policy;
  }

  async #read(layer: PolicyLayer, file: string): Promise<PolicyPage> {
    const stamps = Array.from(await this.#ports.disk.stampEach([file])).join(' ');
    return this.#readStamped(layer, file, stamps);
  }

  async #readStamped(layer: PolicyLayer, file: string, stamps: string): Promise<PolicyPage> {
    const known = this.#pages.get(file);
    if (known?.stamps === stamps) return known.page;
    const page = await this.#readPage(layer, file, known?.page);
    if (this.#pages.size >= pagesMax) this.#pages.clear();
    this.#pages.set(file, { stamps, page });
    const told = new Set(known?.page.diagnostics.map(({ message }) => message));
    for (const problem of page.diagnostics) if (!told.has(problem.message)) this.#ports.onDiagnostic(problem);
    return page;
  }

  /** Nothing there is no policy; a link that leads nowhere is a policy that is gone. */
  async #textOfNone(file: string): Promise<string> {
    const link = await ifThere(file, () => this.#ports.disk.lstat(file));
    if (link === undefined) return '';
    throw failure('policy/fileBroken', file, `${file} is a link that leads nowhere.`, { file });
  }

  async #readPage(layer: PolicyLayer, file: string, before: PolicyPage | undefined): Promise<PolicyPage> {
    const kept = { compiled: before?.compiled, isBroken: true, isMissing: before === undefined || before.isMissing };
    let text = '';
    try {
      text = (await readTextIfExists(this.#ports.disk, file)) ?? (await this.#textOfNone(file));
    } catch (error) {
      if (!isRavelError(error)) throw error;
      return { layer, file, text, ...kept, ...brokenBy(file, [error.diagnostic], kept.isMissing) };
    }
    const parsed: ParsedLayer = layer === 'plan' ? parsePlanPolicy(text, file) : parsePolicyFile(text, file);
    const { content, diagnostics } = parsed;
    if (content === undefined) return { layer, file, text, ...kept, ...brokenBy(file, diagnostics, kept.isMissing) };
    const isEmpty =
      (content.rules?.length ?? 0) === 0 && Object.values(content.permissions ?? {}).every((list) => !list?.length);
    const good = { layer, file, text, isBroken: false, isMissing: false, ...defined({ models: parsed.models }) };
    if (isEmpty) return { ...good, compiled: undefined, diagnostics };
    const { compileLayer } = await import('../gates/policy/toolPolicy.ts');
    const { failedExamples } = await import('../gates/policy/examples.ts');
    const compiled = compileLayer(layer, file, content);
    const faults = [...compiled.faults, ...failedExamples(compiled)];
    const told = toDiagnostics(faults, text, file);
    if (faults.some(({ isWidening }) => isWidening !== true))
      return { layer, file, text, ...kept, ...brokenBy(file, told, kept.isMissing) };
    return { ...good, compiled, diagnostics: [...diagnostics, ...told] };
  }
}

/** Policies that are kept compiled. */
const keptMax = 500;

/** Pages that are kept: most are of projects and plans without a policy. */
const pagesMax = 20_000;

type ParsedLayer = ReturnType<typeof parsePlanPolicy>;

/** The line of each rule, by its path. */
function linesOf({ rules }: CompiledLayer, { text, file }: PolicyPage): ReadonlyMap<string, number> {
  const paths = rules.map(({ path }) => path);
  const ranges = policyRanges(text, file, paths);
  return new Map(
    paths.flatMap((path, at) => {
      const range = ranges[at];
      return range === undefined ? [] : [[path.join(' '), range.start.line + 1] as const];
    }),
  );
}

function toDiagnostics(faults: readonly PolicyFault[], text: string, file: string): readonly Diagnostic[] {
  const ranges = policyRanges(
    text,
    file,
    faults.map(({ path }) => path),
  );
  return faults.map(({ message, isWidening }, at) => {
    const code = isWidening === true ? 'policy/widens' : 'policy/badRule';
    return diagnostic(code, file, message, {
      file,
      severity: isWidening === true ? 'warning' : 'error',
      ...defined({ range: ranges[at] }),
    });
  });
}

/** The first fault says what becomes of it, the others follow. */
function brokenBy(
  file: string,
  found: readonly Diagnostic[],
  isMissing: boolean,
): Pick<PolicyPage, 'cause' | 'diagnostics'> {
  const [first] = found;
  const kept = isMissing ? 'every tool is refused' : 'the last valid rules stay in force';
  const cause = first?.message ?? '';
  const said = `The policy cannot be used, so ${kept}. ${cause}`.trim();
  const worst = diagnostic('policy/fileBroken', file, said, { file, ...defined({ range: first?.range }) });
  return { cause, diagnostics: [worst, ...found.slice(1)] };
}

/** Why a policy cannot be used. */
export function faultsOf({ isBroken, diagnostics }: PolicyPage): readonly Diagnostic[] {
  return isBroken ? diagnostics.filter(({ severity }) => severity === 'error') : [];
}

function placeOf({ file, diagnostics }: PolicyPage): string {
  const line = diagnostics[0]?.range?.start.line;
  return line === undefined ? file : `${file}:${line + 1}`;
}
