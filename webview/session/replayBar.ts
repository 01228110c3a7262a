import { t } from '@vscode/l10n';
import { css, html, LitElement } from 'lit';
import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import { formatDuration } from '../../src/base/text.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { nextFrame } from '../frames.ts';
import { icon } from '../icons.ts';
import { sharedStyles } from '../styles.ts';
import {
  durationOf,
  pause,
  play,
  playedAt,
  positionAt,
  type Replay,
  type ReplaySpeed,
  replaySpeeds,
  replayTimes,
  seek,
  startReplay,
  step,
  withSpeed,
} from './replayClock.ts';

/** Says with `detail` how many events have been played. */
const replayedEvent = 'replayed';

/** Plays a session again from its events: pause, one at a time, anywhere, and at several speeds. */
export class RavelReplay extends LitElement {
  static override properties = { events: { attribute: false }, clock: { attribute: false } };
  static override styles = [
    sharedStyles,
    css`
      :host {
        padding: 4px 16px;
        background: var(--vscode-editorWidget-background);
        border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
      }
      input[type="range"] {
        flex: 1 1 120px;
        min-width: 60px;
        accent-color: var(--vscode-button-background);
      }
      select {
        font: inherit;
        color: var(--vscode-dropdown-foreground);
        background: var(--vscode-dropdown-background);
        border: 1px solid var(--vscode-dropdown-border);
      }
    `,
  ];

  declare events: readonly RavelEvent[];
  declare clock: Clock;
  #replay: Replay | undefined;
  #played = 0;
  #frame: Disposable = toDisposable(() => undefined);

  override disconnectedCallback(): void {
    this.#frame.dispose();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('events')) return;
    this.#replay = startReplay(replayTimes(this.events), this.clock.monotonicMs());
    this.#played = 0;
    this.#tick();
  }

  protected override render() {
    const replay = this.#replay;
    if (replay === undefined) return html``;
    const position = positionAt(replay, this.clock.monotonicMs());
    const isPlaying = replay.state.kind === 'playing';
    const last = durationOf(replay);
    return html`<div class="row" role="group" aria-label=${t('Replay')}>
      <button
        aria-label=${isPlaying ? t('Pause replay') : t('Play replay')}
        @click=${() => this.#change(isPlaying ? pause : play)}
      >
        ${icon(isPlaying ? 'debug-pause' : 'play')}
      </button>
      <button aria-label=${t('Next event')} @click=${() => this.#change(step)}>${icon('debug-step-over')}</button>
      <input
        type="range"
        aria-label=${t('Position')}
        aria-valuetext=${t`${formatDuration(position)} of ${formatDuration(last)}`}
        min="0"
        max=${Math.max(1, Math.ceil(last))}
        .value=${String(Math.round(position))}
        @input=${this.#onSeek}
      />
      <span class="faint">${t`${this.#played} of ${replay.times.length} · ${formatDuration(position)}`}</span>
      <label>
        <span class="spoken">${t('Speed')}</span>
        <select @change=${this.#onSpeed}>
          ${replaySpeeds.map(
            (speed) =>
              html`<option value=${speed} ?selected=${speed === replay.speed}>
                ${speed === 'instant' ? t('At once') : `${speed}×`}
              </option>`,
          )}
        </select>
      </label>
      <button @click=${() => this.dispatchEvent(new Event('close'))}>${icon('close')} ${t('End Replay')}</button>
    </div>`;
  }

  readonly #onSeek = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    this.#change((replay, nowMs) => seek(replay, nowMs, Number(value)));
  };

  readonly #onSpeed = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const speed: ReplaySpeed = replaySpeeds.find((one) => String(one) === value) ?? 1;
    this.#change((replay, nowMs) => withSpeed(replay, nowMs, speed));
  };

  #change(change: (replay: Replay, nowMs: number) => Replay): void {
    if (this.#replay === undefined) return;
    this.#replay = change(this.#replay, this.clock.monotonicMs());
    this.#tick();
  }

  /** Plays what is due, and looks again with the next picture while there is more. */
  #tick(): void {
    this.#frame.dispose();
    this.#frame = nextFrame(() => {
      const replay = this.#replay;
      if (replay === undefined) return;
      const now = this.clock.monotonicMs();
      const played = playedAt(replay, positionAt(replay, now));
      const isOver = replay.state.kind === 'playing' && played >= replay.times.length;
      if (isOver) this.#replay = pause(replay, now);
      if (played !== this.#played) {
        this.#played = played;
        this.dispatchEvent(new CustomEvent<number>(replayedEvent, { detail: played }));
      }
      this.requestUpdate();
      if (this.#replay?.state.kind === 'playing') this.#tick();
    });
  }
}
