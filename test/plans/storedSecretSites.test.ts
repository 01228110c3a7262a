import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import { judgePlanProposal } from '../../src/goals/judgePlanProposal.ts';
import { loadProposalFacts } from '../../src/goals/proposalFacts.ts';
import { runCodePhase } from '../../src/plans/commits/codePhase.ts';
import { factsWithoutSource, gatherFacts } from '../../src/plans/proposals/facts.ts';
import { secretsIn } from '../../src/plans/sessions/finishing.ts';
import { findingsOf, makeProposal } from '../gates/proposal.ts';
import { frenchProposal } from '../support/goalWorld.ts';
import { absorbing, endOf, leaveIngestion, makeIngestionWorld } from '../support/ingestionWorld.ts';
import { backlogOf, makePlanWorld } from '../support/planServices.ts';
import { storedSecretsOf } from '../support/storedSecrets.ts';
import { startCore, type World } from '../support/world.ts';

/** Words that no shape of a secret fits. */
const value = 'plain words that open a door';
const named = 'this is the stored secret DOOR';

async function makeStored() {
  const world = await makePlanWorld({
    plan: { 'phase.md': 'git-commit-work\n', 'backlog.yaml': backlogOf('a') },
    source: { 'a.txt': 'a\n' },
  });
  const { services: without, location } = world;
  await ensureDirectory(without.disk, without.layout.plans);
  const services = { ...without, storedSecrets: storedSecretsOf({ name: 'DOOR', value }) };
  const change = () => writeFileSync(join(location.projectDirectory, 'late.txt'), `${value}\n`);
  return { ...{ services, location, change }, baseline: (await world.git('rev-parse', 'HEAD')).trim() };
}

type Stored = Awaited<ReturnType<typeof makeStored>>;

/** What is told at each place where the text of a session goes on. */
const sites: Readonly<Record<string, (stored: Stored) => Promise<readonly string[]>>> = {
  async 'a file of the plan'({ services }) {
    const files = { 'memory.yaml': `entries:\n  - body: It is ${value}\n` };
    return findingsOf(judgeSecrets(makeProposal('reflect', {}, files, { facts: await factsWithoutSource(services) })));
  },
  async 'the message of a commit'({ services }) {
    const files = { 'commits.yaml': `commits:\n  - title: Open with ${value}\n` };
    const facts = await factsWithoutSource(services);
    return findingsOf(judgeSecrets(makeProposal('analyse-work', {}, files, { facts })));
  },
  async 'a summary'({ services }) {
    const facts = await factsWithoutSource(services);
    return findingsOf(judgeSecrets(makeProposal('triage', {}, {}, { summary: value, facts })));
  },
  async 'the diff of the source'({ services, location, change, baseline: commit }) {
    change();
    const work = { baseline: { commit, dirty: [] }, session: undefined };
    const facts = await gatherFacts(services, location, work, new Map());
    return findingsOf(judgeSecrets(makeProposal('analyse-work', {}, {}, { facts })));
  },
  async 'the commit itself'({ services, location, change }) {
    change();
    const job = { location, phase: 'git-commit-work' as const, session: services.newUlid(), children: [] };
    return [String(await runCodePhase(services, job).catch((error: unknown) => error))];
  },
  'a message to another plan': ({ services }) => secretsIn(services, 'question', `Ask about ${value}`),
  'a reply': ({ services }) => secretsIn(services, 'reply', `It is ${value}`),
  async 'a proposed plan'({ services, location }) {
    const facts = await loadProposalFacts(services, location.id, 'session');
    return judgePlanProposal({ ...frenchProposal, description: `Greet with ${value}` }, facts).findings;
  },
};

test.each(Object.entries(sites))('a stored secret does not pass through %s', async (_site, tell) => {
  const stored = await makeStored();
  expect((await tell(stored)).join('\n')).toContain(named);
});

test.each(Object.entries(sites))(
  'while a stored secret cannot be read, nothing passes through %s',
  async (_site, tell) => {
    const stored = await makeStored();
    const storedSecrets = () => Promise.reject(new Error('the store is locked'));
    const told = await tell({ ...stored, services: { ...stored.services, storedSecrets } }).catch(String);
    expect([told].flat().join('\n')).toContain('the store is locked');
  },
);

/** A world whose person keeps the secret in a variable. */
function keepIn(world: World): World {
  const config = join(world.root, 'config');
  mkdirSync(join(config, 'ravel'), { recursive: true });
  writeFileSync(join(config, 'ravel/config.toml'), '[secrets]\nDOOR = { environment = "DOOR" }\n');
  return { ...world, environment: { ...world.environment, XDG_CONFIG_HOME: config, DOOR: value } };
}

test('a stored secret becomes no entry of the knowledge, and no candidate for one', async () => {
  const body = `The Rust runner logs in with ${value}.`;
  const world = keepIn(await makeIngestionWorld({ learned: [], absorb: [{ steps: absorbing }] }));
  leaveIngestion(world, { state: 'new', body, isReviewed: true });
  const { core, events } = await startCore(world);
  const adding = core.api.request('add_entry', { title: 'Login', body, folder: 'domains' });
  await expect(adding).rejects.toMatchObject({ message: expect.stringContaining(named) });
  expect(await endOf(core, events)).toMatchObject({ state: 'refused', outcome: expect.stringContaining(named) });
});
