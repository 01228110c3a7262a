import { byNames, network, type ProgramTable, table } from './table.ts';

const help = '-h --help --version';
const compose =
  '-a -q -f=text --all --quiet --services --format=text --filter=text --status=text --no-trunc --orphans?text --tail=text -n=text --no-color --no-log-prefix -t --timestamps --since=text --until=text --images --volumes --profiles --hash=text --no-interpolate@ask';

/** Programs that talk to other services: only what tells of them on this machine is known to be harmless. */
export const servicePrograms: ReadonlyMap<string, ProgramTable> = byNames({
  'docker podman': table('text', '', '-v --version', {
    subcommands: {
      'ps images version info stats top port': table(
        'text',
        'text',
        '-a -q -l -n=text -s -f=text --all --quiet --no-trunc --format=text --filter=text --latest --size --digests --no-stream',
      ),
      logs: table('text', 'text', '-t -n=text --tail=text --since=text --until=text --timestamps --details'),
      compose: table(
        'text',
        '',
        '-f=read --file=read --profile=text --project-name=text -p=text --ansi=text --progress=text',
        {
          subcommands: {
            'ps ls version images top port': table('text', 'text', compose),
            logs: table('text', 'text', compose),
          },
        },
      ),
      'image container volume network context system': table('text', '', '', {
        subcommands: {
          'ls list ps df': table(
            'text',
            'text',
            '-a -q -f=text --all --quiet --no-trunc --format=text --filter=text --latest --size -v --verbose',
          ),
        },
      }),
      'pull push build run login search buildx': network,
    },
  }),
  'docker-compose': table('text', '', '-f=read --file=read -p=text --profile=text --version -v', {
    subcommands: {
      'ps ls version images top port logs': table('text', 'text', compose),
    },
  }),
  kubectl: table('text', '', '', {
    subcommands: { version: table('text', '', '--client -o=text --output=text', { always: 'network' }) },
  }),
  helm: table('text', '', '', {
    subcommands: {
      lint: table('project', 'read', '-f=read --values=read --set=text --strict --quiet --with-subcharts'),
      version: table('text', '', '--short --template=text'),
      'list status': network,
    },
  }),
  'terraform tofu': table('text', '', '-version --version -help', {
    style: 'words',
    subcommands: {
      fmt: table('project', 'likely', '-check -diff -recursive -write=text -list=text -no-color', { style: 'words' }),
      'validate version providers graph': table('project', 'likely', '-json -no-color -test-directory=text', {
        style: 'words',
      }),
      'init plan apply destroy get refresh import': network,
    },
  }),
  openssl: table('text', '', '', {
    subcommands: { 'version help list': table('text', 'text', '-a -v -commands', { style: 'words' }) },
  }),
  'sqlite3 psql mysql redis-cli mongosh': table('code', '', help, { always: 'ask' }),
  'cloc tokei scc loc': table(
    'tree',
    'tree',
    '--by-file --json --csv --quiet --exclude-dir=text --include-lang=text --not-match-d=text -e=text -t=text -s=text --sort=text -f=text --files',
  ),
});
