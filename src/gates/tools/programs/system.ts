import { byNames, type ProgramTable, table } from './table.ts';

const help = '--help --version';

/** Programs of the system that only tell something. */
export const systemPrograms: ReadonlyMap<string, ProgramTable> = byNames({
  'whoami arch tty logname nproc uptime': table(
    'text',
    '',
    `-psV --all --ignore=text --pretty --since --silent --quiet ${help}`,
  ),
  'echo true false pwd': table('text', 'text', '', { style: 'raw' }),
  printf: table('text', 'text', '-v=ask', { stops: true }),
  date: table(
    'text',
    'text',
    `-uRjn -d=text -I?text -r=stat --date=text --iso-8601?text --rfc-3339=text --rfc-email --reference=stat --utc --universal --debug ${help}`,
  ),
  cal: table('text', 'text', '-13jmnsyw'),
  seq: table('text', 'text', `-w -f=text -s=text --format=text --separator=text --equal-width ${help}`),
  sleep: table('text', 'text', help),
  uname: table(
    'text',
    '',
    `-amnrsvpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${help}`,
  ),
  hostname: table('text', '', '-adfiIsAy --fqdn --long --short --ip-address --all-ip-addresses --all-fqdns --domain'),
  id: table('text', 'text', `-agGnruzZ --group --groups --name --real --user --zero ${help}`),
  groups: table('text', 'text', help),
  which: table('text', 'text', '-as --all'),
  free: table('text', '', '-bkmghtwl --human --mega --giga --total --wide'),
  lscpu: table('text', '', '-e -p -J --json'),
  vmstat: table('text', 'text', '-aSs -S=text'),
  expr: table('text', 'text'),
  bc: table('text', 'read', '-lqs'),
  getconf: table('text', 'text', '-a'),
  locale: table('text', 'text', '-amk'),
  tput: table('text', 'text', '-T=text'),
  clear: table('text', ''),
  yes: table('text', 'text', help),
  ps: table(
    'text',
    'text',
    '-AaefFlTxjmwHy -C=text -o=text -p=text -u=text -U=text -t=text --pid=text --ppid=text --sort=text --no-headers --forest --user=text --format=text',
  ),
  pgrep: table(
    'text',
    'text',
    '-acflnovxi -u=text -P=text -d=text --full --list-name --list-full --count --newest --oldest --exact',
  ),
  lsb_release: table('text', '', '-acdirsv'),
  sw_vers: table('text', '', '-productName -productVersion -buildVersion', { style: 'words' }),
});
