import { openVault } from '../../../src/library.ts';
import type { EditorPage } from './editorPage.ts';

export interface LargeTree {
  /** From the click on the activity bar to the first row, of a vault that is opened at the same time. */
  readonly firstRowMs: number;
  /** From a person's change, once it is durable, to the row that shows it. */
  readonly refreshMs: readonly number[];
  /** The same answer without a tree: how long the owner takes for the status of one plan. */
  readonly statusMs: readonly number[];
  /** How often rows were drawn while twenty changes a second came for a second, two of them in the part that is seen. */
  readonly drawnInStorm: number;
}

export interface LargeTreeOptions {
  readonly vault: string;
  readonly rounds: number;
}

const group = 'p0/project-root/group-0';
const stormChanges = 20;
const patienceMs = 60_000;

/** Changes plans of a large vault as another process would, watching the rows of the tree in a window that has just opened. */
export async function measureLargeTree(window: EditorPage, { vault, rounds }: LargeTreeOptions): Promise<LargeTree> {
  // A machine that does something else as well takes its time.
  window.page.setDefaultTimeout(patienceMs);
  const start = performance.now();
  await window.activity('Ravel');
  await window.treeItem(/^Project p0,/).waitFor();
  const firstRowMs = performance.now() - start;
  await window.treeItem(/^Project p0, phase work, ready/).waitFor();
  await window.expand(window.treeItem(/^Project p0,/));
  await window.expand(window.treeItem(/^Plan group-0,/));
  const { api, stop } = await openVault({ vault, mode: 'client' });
  const add = (plan: string, n: number) =>
    api.request('state', { plan, verb: 'backlog/add', args: { title: `Added ${n}`, category: 'core' } });
  try {
    const refreshMs: number[] = [];
    const statusMs: number[] = [];
    for (let n = 0; n < rounds; n++) {
      // Of those that the view has room for.
      const name = `plan-${2 + (n % 5)}`;
      const plan = `${group}/${name}`;
      const label = `Plan ${name},`;
      const before = await rowText(window, label);
      await add(plan, n);
      const changed = performance.now();
      await window.page.waitForFunction(differs(label, before), undefined, { polling: 'raf' });
      refreshMs.push(performance.now() - changed);
      const asked = performance.now();
      await api.request('status', { plan });
      statusMs.push(performance.now() - asked);
    }
    const drawn = await countDrawn(window, async () => {
      for (let n = 0; n < stormChanges; n++) await add(n < 2 ? `${group}/plan-${2 + n}` : `p1/project-root/group-1`, n);
      const last = await api.request('status', { plan: `${group}/plan-3` });
      await window.treeItem(new RegExp(`^Plan plan-3, .*${last.counts.ready} ready`)).waitFor();
    });
    return { firstRowMs, refreshMs, statusMs, drawnInStorm: drawn };
  } finally {
    await stop();
  }
}

async function rowText(window: EditorPage, label: string): Promise<string> {
  return (await window.treeItem(new RegExp(`^${label}`)).getAttribute('aria-label')) ?? '';
}

/** What the page is asked, in its own words: whether the row says something else by now. */
function differs(label: string, before: string): string {
  return `(() => {
    const row = document.querySelector('[role="treeitem"][aria-label^="${label}"]');
    return row !== null && row.getAttribute('aria-label') !== ${JSON.stringify(before)};
  })()`;
}

/** How many rows of trees changed what they say while `work` ran. */
async function countDrawn(window: EditorPage, work: () => Promise<void>): Promise<number> {
  const counting = await window.page.evaluateHandle<{ readonly drawn: number }>(`(() => {
    const counted = { drawn: 0 };
    const observer = new MutationObserver((changes) => { counted.drawn += changes.length; });
    observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-label'] });
    return counted;
  })()`);
  await work();
  return counting.evaluate(({ drawn }) => drawn);
}
