import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { MemoryService } from '../../../src/knowledge/memory/memoryService.ts';
import { OpenMemories } from '../../../src/knowledge/memory/openMemories.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import { formatYaml } from '../../../src/yaml/yaml.ts';
import { longestGapOf } from '../../support/longestGap.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { bundleProgram } from '../../support/program.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(
    fileURLToPath(new URL('../../../src/knowledge/memory/memoryWorker.ts', import.meta.url)),
  );
});

const words = ['refund', 'queue', 'drain', 'lock', 'order', 'stock', 'price', 'cart', 'till', 'door'];

function memoryOf(count: number): string {
  const entries = Array.from({ length: count }, (_, n) => {
    const said = Array.from({ length: 40 }, (__, at) => words[(n * (at + 3) + at) % words.length]).join(' ');
    return { id: `e${n}`, title: `About ${n}`, body: `See \`src/part${n}.ts\` and \`readPart${n}\`. ${said}.` };
  });
  return formatYaml({ entries });
}

function serviceOf(named: string | undefined = program) {
  const warnings: string[] = [];
  const clock = new ManualClock();
  const log = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (text: string) => void warnings.push(text),
  };
  const service = new MemoryService({ disk: nodeDisk, clock, log, ...(named !== undefined && { program: named }) });
  onTestFinished(() => service.stop());
  return { service, clock, warnings };
}

const task = { title: 'Drain the refund queue', description: 'Look at `readPart7` in `src/part9.ts`.' };
const prompt = (text: string) => ({ text, task, settings: defaultSettings.memory, reader: 'session' as const });
const opened = (text: string) => ({ text, directory: '/base', files: 'src/part7.ts\0src/part9.ts\0' });
const recall = { touched: { paths: ['src/part7.ts'], code: '' }, shown: [], bytesMax: 4000 };

test('a large memory holds up nothing in the thread of its owner, neither for a prompt nor for the first tool call', async () => {
  const text = memoryOf(10_000);
  const { service } = serviceOf();
  const { service: here } = serviceOf('/nowhere/memory.mjs');
  const both = async (one: MemoryService) => {
    await one.prompt(prompt(text));
    const memory = await one.open(opened(text));
    await memory.recall(recall);
    memory.close();
  };
  const inThread = await longestGapOf(() => both(service));
  const atOnce = await longestGapOf(() => both(here));
  // Less than a tenth of what it takes, whatever the machine.
  expect(inThread * 10, `${inThread} ms of ${atOnce} ms`).toBeLessThan(atOnce);
});

test('a thread gives the same as this thread would', async () => {
  const text = memoryOf(300);
  const { service, warnings } = serviceOf();
  const here = new OpenMemories();
  expect(await service.prompt(prompt(text))).toEqual(here.prompt(prompt(text)));
  here.open({ ...opened(text), memory: 1 });
  const memory = await service.open(opened(text));
  const other = await service.open(opened(memoryOf(299)));
  expect(await memory.recall(recall)).toEqual(here.recall({ ...recall, memory: 1 }));
  expect(await memory.recall({ ...recall, shown: ['e7'] })).toBeUndefined();
  memory.close();
  expect((await other.recall(recall))?.entries).toMatchObject([{ id: 'e7' }]);
  expect(warnings).toEqual([]);
});

test('a thread that ends fails what is open in it, and the next memory gets another one', async () => {
  const dying = join(await makeTemporaryDirectory(), 'dying.mjs');
  await writeFile(
    dying,
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
  );
  const { service, warnings } = serviceOf(dying);
  const text = memoryOf(300);
  for (let n = 0; n < 2; n += 1) {
    await expect(service.open(opened(text))).rejects.toMatchObject({ code: 'memory/failed' });
  }
  // A session begins all the same.
  expect(await service.prompt(prompt(text))).toEqual(new OpenMemories().prompt(prompt(text)));
  expect(warnings).toEqual(['a memory is read in the thread of its owner']);
});

test('a thread ends a minute after it was last needed, and not while a memory is open in it', async () => {
  const { service, clock } = serviceOf();
  const text = memoryOf(300);
  const memory = await service.open(opened(text));
  await service.prompt(prompt(text));
  await clock.advance(120_000);
  expect(await memory.recall(recall)).toBeDefined();
  memory.close();
  await clock.advance(120_000);
  await expect(memory.recall(recall)).rejects.toMatchObject({ code: 'memory/failed' });
  expect(await service.prompt(prompt(text))).toEqual(new OpenMemories().prompt(prompt(text)));
});
