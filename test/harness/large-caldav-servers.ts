import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type CaldavServer, createCalendar, end, removeCalendar, untilAnswering } from './caldav-servers.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/**
 * DAViCal, SOGo, and Cyrus from Debian's packages, each with its data in a temporary folder. They are for
 * `npm run test:servers`: too large to ask of everybody who runs the tests.
 */

const run = promisify(execFile);
const postgresBin = ['18', '17', '16', '15', '14'].map((v) => `/usr/lib/postgresql/${v}/bin`).find(existsSync);
const anyPostgres = '/usr/lib/postgresql/*/bin/initdb';

const programs = {
  davical: {
    files: [anyPostgres, '/usr/share/davical/dba', '/usr/sbin/apache2', '/usr/lib/apache2/modules/libphp*.so'],
    packages: 'davical apache2 libapache2-mod-php php-pgsql php-curl php-xml postgresql',
  },
  sogo: {
    files: [anyPostgres, '/usr/sbin/sogod', '/usr/bin/memcached'],
    packages: 'sogo memcached postgresql',
  },
  cyrus: {
    files: ['/usr/sbin/cyrmaster', '/usr/lib/cyrus/bin/imapd', '/usr/lib/cyrus/bin/httpd', '/usr/sbin/saslpasswd2'],
    // cyrus-common wants some mail transport agent; this one is no server
    packages: 'cyrus-imapd cyrus-caldav sasl2-bin msmtp-mta',
  },
} satisfies Record<string, { files: string[]; packages: string }>;

export type LargeProgram = keyof typeof programs;
export const largePrograms = Object.keys(programs) as LargeProgram[];

/** Debian's packages of all of them. */
export const packagesOfLarge = Object.values(programs)
  .map(({ packages }) => packages)
  .join(' ');

export function whyMissingLarge(program: LargeProgram): string | null {
  const { files, packages } = programs[program];
  if (files.every((file) => globSync(file).length > 0)) return null;
  return `${program} is missing: install it with  apt-get install --no-install-recommends ${packages}`;
}

/** DAViCal on Apache; its one user is admin. */
export async function startDavical(): Promise<CaldavServer> {
  const children = endingWithUs();
  const folder = await temporaryFolder('davical');
  const postgres = await startPostgres(folder, children);
  const env = { ...process.env, ...postgres.env };
  await run('/usr/share/davical/dba/create-database.sh', ['davical', 'secret'], { env, cwd: folder });
  const port = await freePort();
  const modules = ['mpm_prefork', 'authz_core', 'dir'].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const php = globSync('/usr/lib/apache2/modules/libphp*.so')[0] ?? '';
  await writeFile(
    join(folder, 'apache.conf'),
    [
      ...modules,
      `LoadModule php_module ${php}`,
      ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
      `ServerRoot ${folder}`,
      `PidFile ${folder}/apache.pid`,
      `ErrorLog ${folder}/apache.log`,
      'ServerName 127.0.0.1',
      `Listen 127.0.0.1:${port}`,
      'StartServers 8',
      'DocumentRoot /usr/share/davical/htdocs',
      'DirectoryIndex index.php',
      'AcceptPathInfo On',
      'php_value include_path /usr/share/awl/inc:/usr/share/davical/inc',
      'php_value error_reporting 0',
      '<FilesMatch "\\.php$">',
      'SetHandler application/x-httpd-php',
      '</FilesMatch>',
      '<Directory /usr/share/davical/htdocs>',
      'Require all granted',
      '</Directory>',
      '',
    ].join('\n'),
  );
  // A group of its own: on SIGTERM Apache sends one to its whole process group, which else would be ours.
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
  const apache = spawn('/usr/sbin/apache2', args, { env, detached: true });
  children.push(apache);
  return await ready({
    name: 'davical',
    child: apache,
    children,
    folder,
    url: `http://127.0.0.1:${port}/caldav.php/`,
    home: `http://127.0.0.1:${port}/caldav.php/admin/`,
    username: 'admin',
  });
}

/** SOGo with alice from a table. */
export async function startSogo(): Promise<CaldavServer> {
  const children = endingWithUs();
  const folder = await temporaryFolder('sogo');
  const postgres = await startPostgres(folder, children);
  const env = { ...process.env, ...postgres.env };
  await run('createdb', ['sogo'], { env });
  const users =
    'create table users (c_uid text primary key, c_name text, c_password text, c_cn text, mail text);' +
    "insert into users values ('alice', 'alice', 'secret', 'Alice', 'alice@example.com');";
  await run('psql', ['-q', '-c', users, 'sogo'], { env });
  const memory = join(folder, 'memcached.sock');
  const memcachedUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  await chmod(folder, 0o777);
  children.push(spawn('/usr/bin/memcached', ['-s', memory, '-a', '0777', ...memcachedUser]));
  const port = await freePort();
  const table = (name: string) => `postgresql://postgres:x@127.0.0.1:${postgres.port}/sogo/${name}`;
  const settings: Record<string, string> = {
    WOUseWatchDog: 'NO',
    WONoDetach: 'YES',
    WOPort: `127.0.0.1:${port}`,
    WOLogFile: '-',
    WOPidFile: join(folder, 'sogo.pid'),
    SOGoProfileURL: table('sogo_user_profile'),
    OCSFolderInfoURL: table('sogo_folder_info'),
    OCSSessionsFolderURL: table('sogo_sessions_folder'),
    OCSEMailAlarmsFolderURL: table('sogo_alarms_folder'),
    SOGoMemcachedHost: memory,
    SOGoTimeZone: 'UTC',
    SOGoUserSources: `({type=sql; id=users; viewURL="${table('users')}"; canAuthenticate=YES; isAddressBook=NO; userPasswordAlgorithm=plain;})`,
  };
  const args = Object.entries(settings).flatMap(([key, value]) => [`-${key}`, value]);
  const sogo = spawnAs('sogo', '/usr/sbin/sogod', args, { ...env, HOME: folder });
  children.push(sogo);
  return await ready({
    name: 'sogo',
    child: sogo,
    children,
    folder,
    url: `http://127.0.0.1:${port}/SOGo/dav/`,
    home: `http://127.0.0.1:${port}/SOGo/dav/alice/Calendar/`,
    username: 'alice',
  });
}

/** Cyrus IMAP with alice, who has a mailbox: without one it gives nobody a calendar. */
export async function startCyrus(): Promise<CaldavServer> {
  const children = endingWithUs();
  const folder = await temporaryFolder('cyrus');
  const isRoot = process.getuid?.() === 0;
  const passwords = join(folder, 'sasldb2');
  const [imapPort, httpPort] = [await freePort(), await freePort()];
  const settings: Record<string, string> = {
    configdirectory: join(folder, 'state'),
    defaultpartition: 'default',
    'partition-default': join(folder, 'spool'),
    cyrus_user: isRoot ? 'cyrus' : userInfo().username,
    servername: 'localhost',
    admins: 'admin',
    allowplaintext: 'yes',
    sasl_pwcheck_method: 'auxprop',
    sasl_auxprop_plugin: 'sasldb',
    sasl_sasldb_path: passwords,
    sasl_mech_list: 'PLAIN',
    httpmodules: 'caldav',
    calendar_user_address_set: 'example.com',
    // invitations go to a notifier that nobody started
    imip_notifier: 'nobody',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}\n`);
  const config = join(folder, 'imapd.conf');
  await writeFile(config, lines.join(''));
  const service = (name: string, port: number) =>
    `  ${name} cmd="${name}d -C ${config}" listen="127.0.0.1:${port}" proto="tcp4"`;
  await writeFile(
    join(folder, 'cyrus.conf'),
    [
      'START {',
      `  recover cmd="/usr/lib/cyrus/bin/ctl_cyrusdb -C ${config} -r"`,
      '}',
      'SERVICES {',
      service('imap', imapPort),
      service('http', httpPort),
      '}',
      '',
    ].join('\n'),
  );
  for (const user of ['admin', 'alice']) {
    const set = run('/usr/sbin/saslpasswd2', ['-p', '-c', '-f', passwords, '-u', 'localhost', user]);
    set.child.stdin?.end('secret');
    await set;
  }
  if (isRoot) await run('chown', ['-R', 'cyrus:mail', folder]);
  const args = ['-C', config, '-M', join(folder, 'cyrus.conf'), '-p', join(folder, 'master.pid')];
  const master = spawn('/usr/sbin/cyrmaster', args, { cwd: '/' });
  children.push(master);
  const giveMailbox = async () => {
    const imap = connect(imapPort, '127.0.0.1');
    imap.end('a LOGIN admin secret\r\nb CREATE user/alice\r\nc LOGOUT\r\n');
    const answer = await text(imap);
    if (!/^b OK/m.test(answer)) throw new Error(answer);
    return true;
  };
  return await ready({
    name: 'cyrus',
    child: master,
    children,
    folder,
    url: `http://127.0.0.1:${httpPort}/dav/`,
    home: `http://127.0.0.1:${httpPort}/dav/calendars/user/alice/`,
    username: 'alice',
    prepare: () => waitFor('Cyrus to give alice a mailbox', giveMailbox, { timeoutMs: 20_000 }),
  });
}

interface Started {
  name: string;
  child: ChildProcess;
  /** In the order they were started; stopped the other way round. */
  children: ChildProcess[];
  folder: string;
  url: string;
  home: string;
  username: string;
  /** Setup between the start of the server and the first request to its calendars. */
  prepare?(): Promise<unknown>;
}

async function ready({ name, child, children, folder, url, home, username, prepare }: Started): Promise<CaldavServer> {
  const authorization = { authorization: `Basic ${Buffer.from(`${username}:secret`).toString('base64')}` };
  const endAll = async () => {
    for (const each of [...children].reverse()) await end(each);
  };
  try {
    await prepare?.();
    const failure = await untilAnswering(child, home, authorization);
    if (failure !== null) throw new Error(`${name} did not start, and left its files in ${folder}: ${failure}`);
  } catch (error) {
    await endAll();
    throw error;
  }
  return {
    name,
    url,
    username,
    password: 'secret',
    pid: child.pid ?? 0,
    createCalendar: (calendar) => createCalendar(home, calendar, authorization),
    removeCalendar: (calendarUrl) => removeCalendar(calendarUrl, authorization),
    stop: async () => {
      await endAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A list whose processes do not outlive this one. */
function endingWithUs(): ChildProcess[] {
  const children: ChildProcess[] = [];
  process.once('exit', () => {
    for (const child of children) child.kill('SIGTERM');
  });
  return children;
}

/** PostgreSQL refuses to run as root, as sogod does; both then run as the user of their package. */
async function startPostgres(
  folder: string,
  children: ChildProcess[],
): Promise<{ port: number; env: Record<string, string> }> {
  const bin = postgresBin ?? '';
  const data = join(folder, 'postgres');
  await mkdir(data, { mode: 0o700 });
  if (process.getuid?.() === 0) {
    const ids = (await run('sh', ['-c', 'id -u postgres; id -g postgres'])).stdout.trim().split('\n').map(Number);
    await chown(data, ids[0] ?? 0, ids[1] ?? 0);
  }
  const port = await freePort();
  const [program, args] = commandAs('postgres', `${bin}/initdb`, ['-D', data, '-A', 'trust', '-U', 'postgres', '-N']);
  await run(program, args, { cwd: '/' });
  const settings = ['-p', String(port), '-k', data, '-h', '127.0.0.1', '-F'];
  const postgres = spawnAs('postgres', `${bin}/postgres`, ['-D', data, ...settings], process.env);
  children.push(postgres);
  const env = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', USER: 'postgres' };
  await waitFor('PostgreSQL to answer', () =>
    run('psql', ['-qc', 'select 1', 'template1'], { env: { ...process.env, ...env } }),
  );
  return { port, env };
}

function commandAs(user: string, program: string, args: string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['setpriv', ['--reuid', user, '--regid', user, '--clear-groups', program, ...args]]
    : [program, args];
}

function spawnAs(user: string, program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [command, all] = commandAs(user, program, args);
  return spawn(command, all, { env, cwd: '/' });
}

async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `holdfast-${name}-`));
  await chmod(folder, 0o755);
  return folder;
}
