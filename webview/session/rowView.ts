import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatBytes } from '../../src/base/text.ts';
import { describeCall } from '../../src/model/eventText.ts';
import type { HostConnection } from '../host.ts';
import { type IconName, icon } from '../icons.ts';
import { renderMarkdown } from '../markdown.ts';
import { cutAtLine, readableText } from './readableText.ts';
import type { MarkRow, PhaseRow, Row, RowVerdict, TextRow, ToolRow } from './rows.ts';
import { placeOfRule, ruleFacts } from './ruleFacts.ts';
import { countLines, readToolInput } from './toolInput.ts';

/** What the rows of a list are shown with. */
export interface RowContext {
  readonly host: HostConnection;
  /** Keys of the rows that are open. */
  readonly open: ReadonlySet<string>;
  /** Keys of the rows that are shown whole, however long. */
  readonly whole: ReadonlySet<string>;
  readonly project: string | undefined;
  toggle(key: string): void;
  showWhole(key: string): void;
}

/** Characters of a text that are shown at first, and at most in the page; beyond that the editor shows it better. */
const shownMax = 20_000;
const wholeMax = 200_000;

/** The content of a row. */
export function renderRow(row: Row, context: RowContext): TemplateResult {
  switch (row.kind) {
    case 'text':
      return renderText(row, context);
    case 'tool':
      return renderTool(row, context);
    case 'mark':
      return renderMark(row, context);
    case 'phase':
      return renderPhase(row);
  }
}

/** What a screen reader says of a row before its content. */
export function labelOf(row: Row): string {
  switch (row.kind) {
    case 'text':
      return t('The session says');
    case 'tool':
      return `${describeCall(row.tool, row.input)}, ${stateWords[row.state]}`;
    case 'mark':
    case 'phase':
      return row.text;
  }
}

export function isFolding(row: Row): boolean {
  return row.kind === 'tool' || (row.kind === 'mark' && row.verdict !== undefined);
}

const stateWords: Readonly<Record<ToolRow['state'], string>> = {
  running: t('running'),
  done: t('done'),
  failed: t('failed'),
  open: t('never ended'),
};

function renderText(row: TextRow, context: RowContext): TemplateResult {
  const text = readableText(row.text);
  const { shown, isCut } = cutAtLine(text, context.whole.has(row.key) ? wholeMax : shownMax);
  return html`<div class="said">${guard([shown], () => renderMarkdown(shown))}</div>
    ${isCut ? renderCut(row, text, 'text.md', context) : nothing}`;
}

function renderTool(row: ToolRow, context: RowContext): TemplateResult {
  const isOpen = context.open.has(row.key);
  const { edit } = readToolInput(row.input);
  const lines = edit && countLines(edit);
  const failed = row.state === 'failed';
  const failure = failed && !isOpen && row.isRepeat !== true ? reasonOf(row.output ?? '') : '';
  return html`<button
      class="call"
      tabindex="-1"
      aria-expanded=${isOpen ? 'true' : 'false'}
      @click=${() => context.toggle(row.key)}
    >
      ${icon(isOpen ? 'chevron-down' : 'chevron-right')} ${renderCallState(row)}
      <span class="what">${readableText(describeCall(row.tool, row.input, context.project))}</span>
      ${lines ? html`<span class="count"><ins>+${lines.added}</ins> <del>−${lines.removed}</del></span>` : nothing}
      <span class="state faint">${stateText(row)}</span>
    </button>
    ${(row.did ?? []).map((text) => html`<p class="did good">${icon('check')} ${readableText(text)}</p>`)}
    ${failure === '' ? nothing : html`<p class="failure">${failure}</p>`}
    ${isOpen ? renderCall(row, context) : nothing}`;
}

function renderCallState({ state }: ToolRow): TemplateResult {
  if (state === 'running') return icon('loading', true);
  const [name, tone]: [IconName, string] =
    state === 'failed' ? ['error', 'bad'] : state === 'open' ? ['question', 'notice'] : ['check', 'good'];
  return html`<span class=${tone}>${icon(name)}</span>`;
}

function stateText({ state, exitCode }: ToolRow): string {
  return exitCode === undefined ? (state === 'done' ? '' : stateWords[state]) : t`exit ${exitCode}`;
}

function renderCall(row: ToolRow, context: RowContext): TemplateResult {
  const { command, edit, rest } = readToolInput(row.input);
  const output = readableText(row.output ?? '');
  return html`<div class="inside">
    ${command === undefined ? nothing : html`<pre class="command">${readableText(command)}</pre>`}
    ${edit === undefined ? nothing : renderEdit(row, edit, context)}
    ${rest === undefined ? nothing : renderLong(row, rest, 'input.json', context)}
    ${output.trim() === '' ? nothing : renderLong(row, output, 'output.txt', context)}
    ${
      output === ''
        ? nothing
        : html`<button class="small" tabindex="-1" @click=${() => copy(output)}>${icon('copy')} ${t('Copy Output')}</button>`
    }
  </div>`;
}

function renderEdit(
  row: ToolRow,
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
  context: RowContext,
): TemplateResult {
  const openDiff = () =>
    context.host.open({
      ...{ kind: 'diff', path, title: t`${path}: what ${row.tool} changed` },
      ...{ before: { text: before }, after: { text: after } },
    });
  return html`<pre class="edit"><del>${cutAtLine(readableText(before), 2_000).shown}</del><ins>${
    cutAtLine(readableText(after), 2_000).shown
  }</ins></pre>
    <button class="small" tabindex="-1" @click=${openDiff}>${icon('diff')} ${t('Open Diff')}</button>
    <button
      class="small"
      tabindex="-1"
      @click=${() => context.host.open({ kind: 'file', place: { root: 'project', path } })}
    >
      ${icon('go-to-file')} ${t('Open File')}
    </button>`;
}

function renderLong(row: ToolRow, text: string, path: string, context: RowContext): TemplateResult {
  const { shown, isCut } = cutAtLine(text, context.whole.has(row.key) ? wholeMax : shownMax);
  return html`<pre>${shown}</pre>
    ${isCut ? renderCut(row, text, path, context) : nothing}`;
}

function renderCut(row: Row, text: string, path: string, { host, whole, showWhole }: RowContext): TemplateResult {
  const size = formatBytes(text.length);
  const canGrow = !whole.has(row.key) && text.length <= wholeMax;
  return html`<p class="cut">
    <span class="faint">${t`Cut: this is the beginning of ${size}.`}</span>
    ${
      canGrow
        ? html`<button class="small" tabindex="-1" @click=${() => showWhole(row.key)}>${t('Show All')}</button>`
        : html`<button class="small" tabindex="-1" @click=${() => host.open({ kind: 'text', path, text })}>
            ${t('Open All in an Editor')}
          </button>`
    }
  </p>`;
}

function renderMark(
  { key, tone, icon: name, text, details = [], verdict }: MarkRow,
  context: RowContext,
): TemplateResult {
  return html`<p class="mark"><span class=${tone}>${icon(name)}</span> <span>${readableText(text)}</span></p>
    ${
      details.length === 0
        ? nothing
        : html`<ul class="details">
            ${details.slice(0, 50).map((detail) => html`<li>${cutAtLine(readableText(detail), 2_000).shown}</li>`)}
          </ul>`
    }
    ${verdict === undefined ? nothing : renderVerdict(key, verdict, context)}`;
}

/** What decided, and the way to the rule if it was one. */
function renderVerdict(key: string, { gate, rule }: RowVerdict, { host, open, toggle }: RowContext): TemplateResult {
  const isOpen = open.has(key);
  return html`<button class="small why" tabindex="-1" aria-expanded=${isOpen ? 'true' : 'false'} @click=${() => toggle(key)}>
      ${icon(isOpen ? 'chevron-down' : 'chevron-right')} ${t('Why was this refused?')}
    </button>
    ${
      isOpen
        ? html`<ul class="details">
              <li>${t`Gate: ${gate}`}</li>
              ${(rule === undefined ? [t('No rule of a policy decided this: it is built in.')] : ruleFacts(rule)).map((fact) => html`<li>${readableText(fact)}</li>`)}
            </ul>
            ${
              rule === undefined
                ? nothing
                : html`<button class="small" tabindex="-1" @click=${() => host.open({ kind: 'file', place: placeOfRule(rule) })}>
                    ${icon('go-to-file')} ${t('Open Rule')}
                  </button>`
            }`
        : nothing
    }`;
}

function renderPhase({ tone, text, summary }: PhaseRow): TemplateResult {
  const name: IconName = tone === 'plain' ? 'play' : tone === 'good' ? 'check' : tone === 'bad' ? 'error' : 'question';
  return html`<h2 class="phase"><span class=${tone}>${icon(name)}</span> ${text}</h2>
    ${
      summary === undefined
        ? nothing
        : html`<div class="said">${guard([summary], () => renderMarkdown(readableText(summary)))}</div>`
    }`;
}

/** The line of a failed call that most likely says why. */
function reasonOf(output: string): string {
  const lines = readableText(cutAtLine(output, 20_000).shown)
    .replace(/^Exit code \d+\n/, '')
    .trim()
    .split('\n');
  const reason = lines.find((line) =>
    /\b(?:error|exception|fail(?:ed|ing|ure|s)?|not ok|denied|refused|cannot|no such)\b/i.test(line),
  );
  return cutAtLine((reason ?? lines[0] ?? '').trim(), 200).shown;
}

/** A clipboard that is refused says so itself; there is nothing to undo. */
function copy(text: string): void {
  navigator.clipboard.writeText(text).catch(() => undefined);
}
