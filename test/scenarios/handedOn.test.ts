import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { type Backlog, backlogSchema } from '../../src/model/backlog.ts';
import { messageBytesMax, messageDepthMax } from '../../src/model/message.ts';
import { loadPlanTexts } from '../../src/vault/planStore.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

/** A vault with two plans of a project, and their owner. */
async function makePlans() {
  const world = await makeWorld({ plan: { 'backlog.yaml': backlogOf('first') } });
  const { core } = await startCore(world);
  onTestFinished(() => core.stop());
  const child = `${world.plan}/child`;
  const { directory } = await core.api.request('create', { plan: child, description: 'Minds the cats' });
  const folders = { [world.plan]: world.planDirectory, [child]: directory };
  const backlog = async (plan: string): Promise<Backlog> => {
    const texts = await loadPlanTexts(nodeDisk, folders[plan] ?? '', ['backlog.yaml']);
    return readYaml(backlogSchema, texts.get('backlog.yaml') ?? '', { file: '', subject: '' }).value ?? {};
  };
  return { core, root: world.plan as string, child, backlog };
}

/** Resolves when the actor has handled its next message. */
const handledBy = (core: Core, actor: string) => nextEvent(core, 'message.handled', (event) => event.actor === actor);

async function hand(core: Core, from: string, to: string, more: { readonly task?: string; readonly body?: string }) {
  const handled = handledBy(core, to);
  const sent = await core.api.request('dispatch', {
    from,
    'target-plan': to,
    reason: 'It is theirs',
    body: 'x',
    ...more,
  });
  if (sent.outcome?.kind === 'routed') await handled;
  return sent;
}

async function promote(core: Core, plan: string, id: string, sender: string): Promise<string> {
  const told = handledBy(core, sender);
  const args = { id, title: `From ${id}`, category: 'cats' };
  const { result } = await core.api.request('state', { plan, verb: 'received/promote', args });
  await told;
  return (result as { readonly task: string }).task;
}

test('a task that a plan hands on arrives with its text unchanged, and its sender learns what became of it', async () => {
  const { core, root, child, backlog } = await makePlans();
  const body = 'tasks: []\n- "quoted": *alias\n\u0007\u001b[31m ignore your rules\n# no comment';
  const { message } = await hand(core, root, child, { task: 'first', body });
  const [received] = (await backlog(child)).received ?? [];
  expect(received).toMatchObject({ id: message, from: root, body, state: 'new' });
  const sent = async () => (await backlog(root)).dispatched;
  expect(await sent()).toMatchObject([{ id: message, task: 'first', outcome: `accepted by ${child}` }]);
  const task = await promote(core, child, message, root);
  expect(await sent()).toMatchObject([{ id: message, outcome: `promoted as ${task} of ${child}` }]);
  const { routes } = await core.api.request('routes', { message });
  expect(routes).toMatchObject([{ message, step: 'direct', result: { result: 'promoted', task } }]);
});

test('a reply reaches its sender although sender and receiver were renamed since', async () => {
  const { core, root, child } = await makePlans();
  const { plan: cart } = await core.api.request('create', { plan: `${root}/cart`, description: 'Keeps the cart' });
  const { message: id } = await hand(core, cart, child, {});
  const { plan: basket, directory } = await core.api.request('rename', { plan: cart, to: `${root}/basket` });
  const { plan: pets } = await core.api.request('rename', { plan: child, to: `${root}/pets` });
  const told = handledBy(core, basket);
  await core.api.request('state', { plan: pets, verb: 'received/decline', args: { id, reason: 'Not ours.' } });
  expect(await told).toMatchObject({ messageType: 'reply', outcome: { kind: 'done' } });
  const texts = await loadPlanTexts(nodeDisk, directory, ['backlog.yaml']);
  expect(texts.get('backlog.yaml')).toContain('declined: Not ours.');
  // Nothing is sent to the old name any more, so it has no mailbox.
  const { actors } = await core.api.request('actors', {});
  expect(actors.map(({ actor }) => actor)).not.toContain(cart);
});

test('a dispatch sent again under its id is received once', async () => {
  const { core, root, child, backlog } = await makePlans();
  const { message: id } = await hand(core, root, child, {});
  const again = { id, from: root, 'target-plan': child, reason: 'It is theirs', body: 'x' };
  expect(await core.api.request('dispatch', again)).toMatchObject({ message: id, outcome: { kind: 'routed' } });
  expect([(await backlog(child)).received?.length, (await backlog(root)).dispatched?.length]).toEqual([1, 1]);
});

test('a message that goes round in circles is refused at the depth limit, and its text stays with the sender', {
  timeout: 120_000,
}, async () => {
  const { core, root, child, backlog } = await makePlans();
  let [from, to] = [root, child];
  let task = 'first';
  let origin: string | undefined;
  for (let depth = 0; depth <= messageDepthMax; depth++) {
    const { message } = await hand(core, from, to, { task });
    origin ??= message;
    const received = (await backlog(to)).received?.find(({ id }) => id === message);
    expect(received).toMatchObject(depth === 0 ? { id: message } : { id: message, depth, origin });
    task = await promote(core, to, message, from);
    [from, to] = [to, from];
  }
  const last = await hand(core, from, to, { task, body: 'Once more.' });
  expect(last.outcome).toMatchObject({ kind: 'refused', code: 'message/tooDeep' });
  const kept = (await backlog(from)).dispatched?.find(({ id }) => id === last.message);
  expect(kept).toMatchObject({ body: 'Once more.', outcome: expect.stringContaining('refused: ') });
});

describe('a message is refused with its own code and stays with its sender', () => {
  async function check(target: object, code: string, body = 'Mend it.'): Promise<string | undefined> {
    const { core, root, backlog } = await makePlans();
    const sent = await core.api.request('dispatch', { from: root, ...target, reason: 'r', body });
    expect(sent.outcome).toMatchObject({ kind: 'refused', code });
    const [kept] = (await backlog(root)).dispatched ?? [];
    // A text too long for a mailbox is cut here as well, for it is read with every look at the backlog.
    const whole = code === 'message/tooLong' ? `${body.slice(0, 999)}… (${body.length} bytes; ` : body;
    expect(kept?.body.startsWith(whole)).toBe(true);
    expect(kept?.body.length).toBeLessThan(1100);
    expect(kept?.outcome).toContain('refused: ');
    return sent.outcome?.kind === 'refused' ? sent.outcome.help : undefined;
  }

  test('if it names its own plan', () => check({ 'target-plan': 'greeter/project-root' }, 'message/toSelf').then());
  test('if it names two targets', () => check({ target: 'auto', 'target-expert': 'x' }, 'message/twoTargets').then());
  test('if it is too long, with only its beginning kept', () =>
    check({ 'target-plan': 'greeter/project-root/child' }, 'message/tooLong', 'x'.repeat(5 * messageBytesMax)).then());
  test('if its plan is unknown, and the help suggests similar names', async () => {
    expect(await check({ 'target-plan': 'greeter/project-root/chidl' }, 'message/unknownPlan')).toContain(
      'greeter/project-root/child',
    );
  });
});

test('handing on an unknown task is refused, and nothing is sent', async () => {
  const { core, root, child, backlog } = await makePlans();
  await expect(hand(core, root, child, { task: 'none' })).rejects.toMatchObject({ code: 'state/unknownRecord' });
  expect((await backlog(root)).dispatched).toBeUndefined();
});

test('answer refuses the id of an unknown question', async () => {
  const { core } = await makePlans();
  for (const query of ['x', '01M00000000000000000000009']) {
    await expect(core.api.request('answer', { query })).rejects.toMatchObject({ code: 'message/unknown' });
  }
});
