import { byNames, type ProgramTable, table } from './table.ts';

const help = '--help --version';

/** Programs of the system that only tell something. */
export const systemPrograms: ReadonlyMap<string, ProgramTable> = byNames({
  'whoami arch tty logname nproc uptime': table(
    '',
    `-psV --all --ignore=text --pretty --since --silent --quiet ${help}`,
  ),
  'echo true false pwd': table('text', '', { style: 'raw' }),
  printf: table('text', '-v=ask', { stops: true }),
  date: table(
    'text',
    `-uRjn -d=text -I?text -r=look --date=text --iso-8601?text --rfc-3339=text --rfc-email --reference=look --utc --universal --debug ${help}`,
  ),
  cal: table('text', '-13jmnsyw'),
  seq: table('text', `-w -f=text -s=text --format=text --separator=text --equal-width ${help}`),
  sleep: table('text', help),
  uname: table(
    '',
    `-amnrsvpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${help}`,
  ),
  hostname: table('', '-adfiIsAy --fqdn --long --short --ip-address --all-ip-addresses --all-fqdns --domain'),
  id: table('text', `-agGnruzZ --group --groups --name --real --user --zero ${help}`),
  groups: table('text', help),
  which: table('text', '-as --all'),
  free: table('', '-bkmghtwl --human --mega --giga --total --wide'),
  lscpu: table('', '-e -p -J --json'),
  vmstat: table('text', '-aSs -S=text'),
  expr: table('text'),
  bc: table('read', '-lqs'),
  getconf: table('text', '-a'),
  locale: table('text', '-amk'),
  tput: table('text', '-T=text'),
  clear: table(''),
  yes: table('text', help),
  ps: table(
    'text',
    '-AaefFlTxjmwHy -C=text -o=text -p=text -u=text -U=text -t=text --pid=text --ppid=text --sort=text --no-headers --forest --user=text --format=text',
  ),
  pgrep: table(
    'text',
    '-acflnovxi -u=text -P=text -d=text --full --list-name --list-full --count --newest --oldest --exact',
  ),
  lsb_release: table('', '-acdirsv'),
  sw_vers: table('', '-productName -productVersion -buildVersion', { style: 'words' }),
});
