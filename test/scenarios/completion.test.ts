import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLinePath } from '../support/commandLine.ts';
import { testNeeding } from '../support/machine.ts';
import { runProgram, runRavel } from '../support/runProgram.ts';
import { makeWorld, type World } from '../support/world.ts';

/** A world with `ravel` on the path, and the script of a shell in a file. */
async function makeShellWorld(shell: 'bash' | 'zsh' | 'fish') {
  const tasks =
    'tasks:\n- id: fix-it\n  title: Fix it\n  category: a\n  status: not_started\n  dependencies: []\n  description: x\n';
  const world = await makeWorld({ plan: { 'backlog.yaml': tasks } });
  const bin = join(world.root, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'ravel'), `#!/bin/sh\nexec '${process.execPath}' '${commandLinePath()}' "$@"\n`, {
    mode: 0o755,
  });
  const { code, stdout } = await runRavel(['completion', shell]);
  expect(code).toBe(0);
  const script = join(world.root, 'script');
  await writeFile(script, stdout);
  const environment = { ...world.environment, PATH: `${bin}:${process.env['PATH']}`, RAVEL_VAULT: world.vault };
  return { world, script, environment };
}

/** As bash calls the function of a program, with the cursor after so many characters. */
const inBash = `
source "$1"
COMP_LINE="$2"; COMP_POINT="$3"; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
read -ra COMP_WORDS <<< "\${COMP_LINE:0:COMP_POINT}"
[[ "\${COMP_LINE:COMP_POINT-1:1}" == " " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_ravel && printf '%s\\n' "\${COMPREPLY[@]}"
`;

test('bash completes commands, names and values, also where the cursor is inside the line', async () => {
  const { world, script, environment } = await makeShellWorld('bash');
  const check = async (line: string, expected: readonly string[]) => {
    const at = line.includes('|') ? line.indexOf('|') : line.length;
    const args = ['--norc', '--noprofile', '-c', inBash, 'bash', script, line.replace('|', ''), String(at)];
    const ran = await runProgram('bash', args, { environment, cwd: world.root });
    expect([line, ran]).toEqual([line, { code: 0, stdout: `${expected.join('\n')}\n`, stderr: '' }]);
  };
  await check('ravel adop', ['adopt']);
  await check('ravel run greeter --task ', ['fix-it']);
  await check('ravel run gr| --phase work', ['greeter', 'greeter/project-root']);
  await check('ravel run --phase=refl', ['reflect']);
  await check('ravel ask project:g', ['greeter']);
  await check('ravel init bi', ['bin']);
  await check('ravel no such command ', ['']);
});

testNeeding(['zsh'], 'zsh completes in a terminal, and its script has no mistake', async () => {
  const { world, script, environment } = await makeShellWorld('zsh');
  const session = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -D -u; source ${script}; echo rea""dy'
zpty -r z out '*ready*'
zpty -n -w z $'ravel run greeter --task \\t'
zpty -r z out '*fix-it*'
zpty -n -w z $' --phase ref\\t'
zpty -r z out '*reflect*' && print completed
`;
  const ran = await runProgram('zsh', ['-f', '-c', session], { environment, cwd: world.root });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('completed') });
});

testNeeding(['fish'], 'fish completes with descriptions', async () => {
  const { world, script, environment } = await makeShellWorld('fish');
  const check = async (line: string, expected: string) => {
    const ran = await runProgram('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], {
      environment: { ...environment, HOME: world.root },
      cwd: world.root,
    });
    expect(ran).toEqual({ code: 0, stdout: expected, stderr: '' });
  };
  await check('ravel adop', 'adopt\tadopt a project: give it a root plan in this vault\n');
  await check('ravel run greeter --task ', 'fix-it\tFix it\n');
  await check('ravel run --phase=refl', '--phase=reflect\n');
});

test('completions are silent whatever is broken: no vault, no such vault, a vault that is a file', async () => {
  const world = await makeWorld();
  await brokenVault(world);
  const vaults = [undefined, '/nowhere', join(world.root, 'file'), world.vault];
  const lines = [
    'ravel status ',
    'ravel run --task ',
    'ravel state backlog show ',
    'ravel "',
    'ravel \\',
    '',
    ' 💥 -- -',
  ];
  for (const vault of vaults) {
    const environment = { HOME: world.root, ...(vault !== undefined && { RAVEL_VAULT: vault }) };
    const runs = lines.map((line) => runRavel(['complete', 'bash', ':=', line], { environment }));
    for (const { code, stderr } of await Promise.all(runs)) expect([code, stderr]).toEqual([0, '']);
  }
  const { code, stdout, stderr } = await runRavel(['complete']);
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^words\n/), '']);
});

async function brokenVault({ root, vault, planDirectory }: World): Promise<void> {
  await writeFile(join(root, 'file'), '');
  await writeFile(join(vault, 'plan-catalog.md'), Buffer.from([0xff, 0xfe, 0x00]));
  await writeFile(join(vault, 'daemon.toml'), '[[[');
  await writeFile(join(planDirectory, 'backlog.yaml'), '- {');
}
