import type { RavelEvent } from '../../src/model/event.ts';

/** How fast a session is played again: times its own pace, or at once. */
export const replaySpeeds = [1, 4, 20, 'instant'] as const;
export type ReplaySpeed = (typeof replaySpeeds)[number];

/** A pause of the session is played for no longer than this, at any speed. */
const pauseMaxMs = 5_000;

/**
 * When each event is played, in milliseconds from the first at its own pace; each later than the one before. Stamps are
 * whole seconds, so what happened within one is spread over it.
 */
export function replayTimes(events: readonly Pick<RavelEvent, 'at'>[]): Float64Array {
  const times = new Float64Array(events.length);
  let base = 0;
  for (let first = 0; first < events.length; ) {
    const stamp = events[first]?.at ?? '';
    let end = first + 1;
    while (events[end]?.at === stamp) end += 1;
    for (let index = first; index < end; index++) times[index] = base + ((index - first) / (end - first)) * 1_000;
    const pauseMs = Date.parse(events[end]?.at ?? stamp) - Date.parse(stamp);
    base += Math.min(Math.max(1_000, pauseMs), pauseMaxMs);
    first = end;
  }
  return times;
}

export type ReplayState = { readonly kind: 'paused' } | { readonly kind: 'playing'; readonly sinceMs: number };

/** Where a replay stands; `position` is in the session's own milliseconds at `state.sinceMs`, or while it is paused. */
export interface Replay {
  readonly times: Float64Array;
  readonly speed: ReplaySpeed;
  readonly position: number;
  readonly state: ReplayState;
}

export function startReplay(times: Float64Array, nowMs: number, speed: ReplaySpeed = 4): Replay {
  return { times, speed, position: 0, state: { kind: 'playing', sinceMs: nowMs } };
}

export function durationOf({ times }: Pick<Replay, 'times'>): number {
  return times.at(-1) ?? 0;
}

/** Where it stands at `nowMs`, in the session's own milliseconds. */
export function positionAt(replay: Replay, nowMs: number): number {
  if (replay.state.kind === 'paused') return replay.position;
  if (replay.speed === 'instant') return durationOf(replay);
  return Math.min(durationOf(replay), replay.position + (nowMs - replay.state.sinceMs) * replay.speed);
}

/** How many events have been played at a position. */
export function playedAt({ times }: Pick<Replay, 'times'>, position: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function pause(replay: Replay, nowMs: number): Replay {
  return { ...replay, position: positionAt(replay, nowMs), state: { kind: 'paused' } };
}

/** Goes on; from the beginning if it was at its end. */
export function play(replay: Replay, nowMs: number): Replay {
  const position = positionAt(replay, nowMs);
  const isOver = playedAt(replay, position) >= replay.times.length;
  return { ...replay, position: isOver ? 0 : position, state: { kind: 'playing', sinceMs: nowMs } };
}

export function withSpeed(replay: Replay, nowMs: number, speed: ReplaySpeed): Replay {
  const position = positionAt(replay, nowMs);
  const state: ReplayState = replay.state.kind === 'paused' ? replay.state : { kind: 'playing', sinceMs: nowMs };
  return { ...replay, position, speed, state };
}

export function seek(replay: Replay, nowMs: number, position: number): Replay {
  const state: ReplayState = replay.state.kind === 'paused' ? replay.state : { kind: 'playing', sinceMs: nowMs };
  return { ...replay, position: Math.min(Math.max(0, position), durationOf(replay)), state };
}

/** Pauses after exactly one more event. */
export function step(replay: Replay, nowMs: number): Replay {
  const next = Math.min(playedAt(replay, positionAt(replay, nowMs)), replay.times.length - 1);
  return { ...replay, position: replay.times[next] ?? 0, state: { kind: 'paused' } };
}
