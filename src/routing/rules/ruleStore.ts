import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import { readTextIfExists, sha256, writeAtomicIf } from '../../base/files.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { failure } from '../../model/codes.ts';
import type { Rule } from '../../model/rule.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { parseRules } from '../../vault/loadRules.ts';
import { type RulePlaces, rulePlaces } from '../../vault/rulePlaces.ts';
import { type NewRule, type PutRule, putRule } from './ruleFile.ts';
import { compileRules, type RuleSet } from './ruleSet.ts';

export interface RuleStorePorts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  /** Told once for each fault of a text that is newly seen. */
  readonly onDiagnostic: (problem: Diagnostic) => void;
}

/** `routing.yaml` as it was last looked at. */
export interface RulePage {
  readonly text: string;
  /** Those of the file; if it does not parse, those of the last text that did. */
  readonly rules: readonly Rule[];
  readonly ruleSet: RuleSet;
  /** What is wrong with the file, lint aside. */
  readonly diagnostics: readonly Diagnostic[];
  /** That the file does not parse, so that `rules` are not its own. */
  readonly isBroken: boolean;
}

/**
 * The rules of a vault. A caller gets the current content of the file: its stamps are compared each time, so that a
 * change counts even without a watcher. If the text does not parse, the last good rules stay. At a start there are none
 * to keep, and no rule decides until the file is repaired: routing by a guess at the earlier content would surprise
 * more than another question, and refusing to start would stop work that does not need rules.
 */
export class RuleStore {
  readonly #ports: RuleStorePorts;
  readonly #reads = new SerialQueue();
  #page: RulePage = { text: '', rules: [], ruleSet: compileRules([]), diagnostics: [], isBroken: false };
  #stamps: string | undefined;
  #places: { readonly page: RulePage; readonly places: RulePlaces } | undefined;

  constructor(ports: RuleStorePorts) {
    this.#ports = ports;
  }

  get file(): string {
    return this.#ports.layout.routing;
  }

  /** Looks at the file if it changed. Never rejects: what cannot be read is a diagnostic, and keeps the last good rules. */
  page(): Promise<RulePage> {
    return this.#reads.run(() => this.#read());
  }

  /** Where the rules of the page stand in its text. */
  places(page: RulePage): RulePlaces {
    if (this.#places?.page !== page) {
      this.#places = { page, places: rulePlaces(page.text, { file: this.file, subject: this.file }) };
    }
    return this.#places.places;
  }

  /**
   * Puts a rule into the file, durably and once for its suggestion. A person who saves the file in the same moment wins,
   * and the rule is put into what they saved. Throws `rule/cannotPut`, or `yaml/changedMeanwhile` where they do not stop.
   */
  put(rule: NewRule): Promise<PutRule> {
    return this.#reads.run(async () => {
      const { disk } = this.#ports;
      for (let tries = 1; ; tries++) {
        const text = await readTextIfExists(disk, this.file);
        const made = putRule(text ?? '', rule, this.file);
        if (made.text === text) return made;
        try {
          await writeAtomicIf(disk, this.file, text === undefined ? undefined : sha256(text), made.text);
          return made;
        } catch (error) {
          if (!isRavelError(error, 'yaml/changedMeanwhile') || tries === triesMax) throw error;
        }
      }
    });
  }

  async #read(): Promise<RulePage> {
    const { disk } = this.#ports;
    const stamps = Array.from(await disk.stampEach([this.file])).join(' ');
    if (stamps === this.#stamps) return this.#page;
    try {
      this.#take((await readTextIfExists(disk, this.file)) ?? '');
      this.#stamps = stamps;
    } catch (error) {
      if (!isRavelError(error)) throw error;
      this.#keep(this.#page.text, [error.diagnostic]);
    }
    return this.#page;
  }

  #take(text: string): void {
    const { rules, diagnostics } = parseRules(text, this.file);
    if (rules === undefined) {
      this.#keep(text, diagnostics);
      return;
    }
    this.#page = { text, rules, ruleSet: compileRules(rules), diagnostics, isBroken: false };
    for (const problem of diagnostics) this.#ports.onDiagnostic(problem);
  }

  /** The last good rules stay; the reason is reported once. */
  #keep(text: string, found: readonly Diagnostic[]): void {
    const before = this.#page;
    const [first] = found;
    const { length } = before.rules;
    const last = length === 1 ? 'the last valid rule stays' : `the last ${length} valid rules stay`;
    const kept = length === 0 ? 'no rule decides' : `${last} in force`;
    const said = failure(
      'rule/fileBroken',
      this.file,
      `routing.yaml cannot be used, so ${kept}. ${first?.message ?? ''}`,
      {
        file: this.file,
        ...defined({ range: first?.range }),
      },
    ).diagnostic;
    const isNew = !before.isBroken || before.text !== text || before.diagnostics[0]?.message !== said.message;
    this.#page = { ...before, text, diagnostics: [said, ...found.slice(1)], isBroken: true };
    if (isNew) this.#ports.onDiagnostic(said);
  }
}

/** Each try fails only because a person or another program saved the file in the moment between reading and writing. */
const triesMax = 5;
