import { t } from '@vscode/l10n';
import type { PolicySource } from '../../src/model/policy.ts';
import type { IconName } from '../icons.ts';

/** How a row is to be taken: its colour, and the word that a screen reader says before it. */
export type Tone = 'plain' | 'good' | 'bad' | 'notice';

interface RowBase {
  /** Stays the same while the row changes. */
  readonly key: string;
  readonly at: string;
}

/** What the model said. */
export interface TextRow extends RowBase {
  readonly kind: 'text';
  readonly text: string;
}

/** A call of a tool, with what came back once it has. */
export interface ToolRow extends RowBase {
  readonly kind: 'tool';
  readonly tool: string;
  readonly input: unknown;
  readonly state: 'running' | 'done' | 'failed' | 'open';
  readonly output?: string;
  readonly exitCode?: number;
  /** What the call did to the plan, if it was a state verb. */
  readonly did?: readonly string[];
  /** The row before it says already why the call was refused. */
  readonly isRepeat?: true;
}

/** One sentence about what happened, and what there is to say besides. */
export interface MarkRow extends RowBase {
  readonly kind: 'mark';
  readonly tone: Tone;
  readonly icon: IconName;
  readonly text: string;
  readonly details?: readonly string[];
  /** What decided, if it was a gate on tools. */
  readonly verdict?: RowVerdict;
}

export interface RowVerdict {
  readonly gate: string;
  readonly rule?: PolicySource;
}

/** Where a phase begins or ends. */
export interface PhaseRow extends RowBase {
  readonly kind: 'phase';
  readonly tone: Tone;
  readonly text: string;
  readonly summary?: string;
}

/** One entry of a session as a person reads it: many events may have made it. */
export type Row = TextRow | ToolRow | MarkRow | PhaseRow;

/** Whether a row tells what a gate on tools refused or asked about. */
export function isVerdict(row: Row): boolean {
  return row.kind === 'mark' && row.verdict !== undefined;
}

/** The text in which a filter looks, in lower case. */
export function searchTextOf(row: Row): string {
  return partsOf(row).join('\n').toLowerCase();
}

function partsOf(row: Row): readonly string[] {
  switch (row.kind) {
    case 'text':
      return [row.text];
    case 'tool':
      return [row.tool, JSON.stringify(row.input) ?? '', row.output ?? '', ...(row.did ?? [])];
    case 'mark':
      return [row.text, ...(row.details ?? []), row.verdict?.gate ?? '', row.verdict?.rule?.text ?? ''];
    case 'phase':
      return [row.text, row.summary ?? ''];
  }
}

/** The sentence that a screen reader is told when a row appears or changes; undefined for what would only be noise. */
export function statusSentence(row: Row): string | undefined {
  switch (row.kind) {
    case 'text':
      return undefined;
    case 'tool':
      if (row.state === 'running' || row.state === 'open') return undefined;
      if (row.exitCode !== undefined) return t`${row.tool} finished, exit ${row.exitCode}.`;
      return row.state === 'failed' ? t`${row.tool} failed.` : t`${row.tool} finished.`;
    case 'mark':
      return row.tone === 'plain' ? undefined : `${row.text}.`;
    case 'phase':
      return `${row.text}.`;
  }
}
