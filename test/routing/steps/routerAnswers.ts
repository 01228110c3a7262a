import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { RoutingRecord } from '../../../src/model/routing.ts';
import type { RouteSessionAnswer } from '../../../src/routing/steps/routeSteps.ts';
import type { RouterWorld } from '../../support/routerWorld.ts';

export const checkout = toQualifiedId('Shop/project-root/checkout');
export const cards = toQualifiedId('Bank/project-root/cards');

export const accept = (target: string): RouteSessionAnswer => ({
  ...{ kind: 'accept', target: toQualifiedId(target), justification: 'It charges cards.', isChecked: false },
});
export const reject = (retarget?: string): RouteSessionAnswer => ({
  ...{ kind: 'reject', reason: 'It is not ours.', ...(retarget !== undefined && { retarget }) },
});

export async function untilAborted(signal: AbortSignal): Promise<RouteSessionAnswer> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return { kind: 'none', why: 'It was let go.' };
}

export async function records({ layout }: RouterWorld): Promise<RoutingRecord[]> {
  const text = existsSync(layout.routingHistory) ? await readFile(layout.routingHistory, 'utf8') : '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

export const pendingFiles = ({ layout }: RouterWorld) =>
  existsSync(layout.pendingRoutes) ? readdirSync(layout.pendingRoutes) : [];
