/**
 * Fills a data directory with some of everything, and kills the process in the middle: `node test/kept/fill.ts <directory>`, with the
 * program whose directory is to be kept.
 */
import { openTestApp, START } from '#test/setup/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('Name the directory to fill');
const app = await openTestApp({ FAULTLINE_DATA: directory });

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
type Any = any;
const as =
  (token: string) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Any> => {
    const reply = await app.send(method, path, body, { token, headers });
    if (reply.status > 299) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
const own = await app.tenant('kept');
const send = as(own);
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
const ingest = (sourceId: string, severity: string, title: string, more: object = {}) =>
  send('POST', '/api/events/ingest', { source: 'script', sourceId, severity, title, ...more });
const ended = (sourceId: string, more: object = {}) =>
  send('POST', '/api/events/ingest', { source: 'script', sourceId, status: 'resolved', ...more });
const alert = (fingerprint: string, labels: object, more: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'InterfaceDown', severity: 'warning', ...labels },
  annotations: { summary: 'Interface is down' },
  startsAt: at(-20),
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint,
  ...more,
});
const alertmanager = (...alerts: object[]) =>
  send('POST', '/api/events/webhook/prometheus', { version: '4', receiver: 'faultline', status: 'firing', alerts });
const zabbix = (problem: object) =>
  send('POST', '/api/events/webhook/zabbix', {
    ...{ event_id: '9', trigger_name: 'Service crashed', hostname: 'zbx-1', severity: '2', event_value: '1' },
    ...problem,
  });
const nagios = (state: string, type = 'PROBLEM', minutes = -10) =>
  send('POST', '/api/events/webhook/nagios', {
    ...{ notification_type: type, hostname: 'mail-02', service: 'SMTP', state, output: `SMTP ${state}` },
    timestamp: (START + minutes * MINUTE) / 1_000,
  });
const patch = (eventId: string, body: object) => send('PATCH', `/api/events/${eventId}/status`, body);

const topology = async () => {
  const ci = async (name: string, type = 'server', more: object = {}) =>
    (await send('POST', '/v1/cmdb/ci', { name, type, ...more })).id as string;
  const relate = (source: string, target: string) =>
    send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: source, target_ci: target });
  const [sw, db, app1, web] = [
    await ci('sw-1', 'network_device', { attributes: { ip_address: '10.1.0.1' } }),
    await ci('db-1', 'database', { external_key: 'dbk-1' }),
    await ci('app-1'),
    await ci('web-1'),
  ];
  await relate(db, sw);
  await relate(app1, db);
  await relate(web, app1);
  const component = (ci_id: string, role: string) => ({ ci_id, role });
  await send('POST', '/v1/services', {
    ...{ name: 'Shop', criticality: 'high' },
    components: [component(web, 'frontend'), component(db, 'database')],
  });
};

const administration = async () => {
  await send('POST', '/api/admin/users', {
    username: 'ann',
    name: 'Ann',
    role: 'operator',
    password: 'a long password of ann',
  });
  await send('PUT', '/api/admin/settings/correlation', { guards: { maxSize: 500 } });
};

/** Open, resolved, acknowledged, suppressed; folded; in a group; with a history. */
const plain = async () => {
  for (let n = 14; n >= 2; n--) {
    await ingest('flap', 'minor', 'Port flapping', { hostname: 'sw-9', timestamp: at(-20 * n) });
    await ended('flap', { timestamp: at(-20 * n + 1) });
  }
  const link = await ingest('1', 'critical', 'Switch link down', { hostname: 'sw-1', timestamp: at(-9) });
  await ingest('2', 'critical', 'PostgreSQL unreachable', { hostname: 'db-1', timestamp: at(-8.8) });
  await ingest('3', 'major', 'HTTP 503 from checkout', { hostname: 'app-1', timestamp: at(-8.5), service: 'checkout' });
  await ingest('4', 'major', 'Login fails', { hostname: 'web-1', timestamp: at(-8.2) });
  await patch(link.eventId, { status: 'acknowledged', notes: 'On my way' });
  await send('POST', '/api/events/bulk-ingest', {
    source: 'script',
    events: [
      {
        sourceId: 'svc-nginx',
        severity: 'major',
        title: 'Service "nginx" is down',
        hostname: 'web9',
        timestamp: at(-6),
      },
      {
        sourceId: 'svc-mysql',
        severity: 'major',
        title: 'Service "mysql" is down',
        hostname: 'web9',
        timestamp: at(-5),
      },
      {
        sourceId: 'disk-1',
        severity: 'warning',
        title: 'Disk /dev/sda1 is 91 % full',
        hostname: 'nas-1',
        timestamp: at(-4),
        tags: ['disk'],
      },
      {
        sourceId: 'disk-1',
        severity: 'warning',
        title: 'Disk /dev/sda1 is 92 % full',
        hostname: 'nas-1',
        timestamp: at(-3),
        tags: ['nas'],
      },
      { sourceId: 'cpu-7', severity: 'warning', title: 'CPU 91 %', hostname: 'app-7', timestamp: at(-3) },
      { sourceId: 'fan-2', severity: 'minor', title: 'Fan 2 is slow', hostname: 'nas-1', timestamp: at(-2) },
      { sourceId: 'old-1', severity: 'info', title: 'Backup is late', hostname: 'bk-1', timestamp: at(-8 * 60) },
    ],
  });
  const noisy = await ingest('noise', 'info', 'Certificate expires soon', { hostname: 'tls-1', timestamp: at(-30) });
  await patch(noisy.eventId, { status: 'suppressed', notes: 'known' });
  const done = await ingest('done', 'major', 'Queue is full', { hostname: 'mq-1', timestamp: at(-40) });
  await patch(done.eventId, { status: 'resolved', notes: 'restarted', resolutionCategory: 'manual-fix' });
  await ingest('gone', 'major', 'Replica lags', { hostname: 'db-9', timestamp: at(-50) });
  await ended('gone', { timestamp: at(-45) });
  await ingest('late-ci', 'minor', 'Replication stopped', { hostname: 'db-7', timestamp: at(-2), ciId: 'dbk-7' });
  const [one, two] = [
    await ingest('m-1', 'minor', 'Paper jam', { hostname: 'prn-1', timestamp: at(-100) }),
    await ingest('m-2', 'minor', 'Badge reader offline', { hostname: 'door-1', timestamp: at(-95) }),
  ];
  await send('POST', '/api/events/correlate', {
    primaryEventId: one.eventId,
    relatedEventIds: [two.eventId],
    reason: 'one circuit',
  });
};

/** Conditions: two of one event, one that escalated, ones that are over. */
const monitored = async () => {
  await alertmanager(
    alert('aa01', { instance: 'edge-1', device: 'eth0' }),
    alert('aa02', { instance: 'edge-1', device: 'eth1' }),
    alert('aa03', { instance: 'edge-2', device: 'eth0' }),
  );
  await alertmanager(alert('aa03', { instance: 'edge-2', device: 'eth0' }, { status: 'resolved', endsAt: at(-12) }));
  await zabbix({ timestamp: String((START - 15 * MINUTE) / 1_000) });
  await zabbix({ timestamp: String((START - 15 * MINUTE) / 1_000), severity: '4' });
  await nagios('CRITICAL');
  await nagios('CRITICAL', 'ACKNOWLEDGEMENT', -9);
  await zabbix({
    event_id: '77',
    trigger_name: 'Disk is full',
    event_value: '0',
    timestamp: String((START - 10 * MINUTE) / 1_000),
  });
  await send('POST', '/api/events/webhook/cloudevents', {
    ...{ specversion: '1.0', id: 'ce-1', source: 'probe', type: 'check.firing', subject: 'x/1' },
    data: { title: 'Probe failed', hostname: 'probe-1', severity: 'major' },
  });
};

await topology();
await administration();
app.clock.set(START);
await plain();
await monitored();
await ingest('idem', 'minor', 'UPS on battery', { hostname: 'ups-1', timestamp: at(-1) });
// Rows are in the file now; what follows is in the redo log alone.
await send('GET', '/api/events');
await app.app.idle();
app.clock.set(START + HOUR / 60);
await ingest('idem', 'minor', 'UPS on battery', { hostname: 'ups-1', timestamp: at(0.5) });
await ingest('last', 'major', 'Storage latency high', { hostname: 'san-1', timestamp: at(0.6) });
await ended('fan-2', { timestamp: at(0.7) });
process.stdout.write(`${own}\n`);
process.kill(process.pid, 'SIGKILL');
