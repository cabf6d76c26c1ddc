import type { TestConsole } from './open-console.ts';

/**
 * A small company for the pictures: its systems, a power feed that fails, a switch that failed before, and everyday
 * noise.
 */

const two = (n: number): string => String(n).padStart(2, '0');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Rack by rack: a PDU, an access switch, three hypervisors; odd racks depend on feed A, even ones on feed B. */
const RACKS = upTo(4);
const APPLICATIONS = [
  { name: 'shop-web', on: [2, 5, 8] },
  { name: 'shop-db', on: [5] },
  { name: 'billing-app', on: [6, 11] },
  { name: 'mail', on: [3] },
  { name: 'payroll', on: [1, 7] },
  { name: 'search', on: [10, 12] },
];
const SERVICES = [
  { name: 'Shop', criticality: 'critical', parts: ['shop-web-02', 'shop-web-05', 'shop-web-08', 'shop-db-05'] },
  { name: 'Billing', criticality: 'high', parts: ['billing-app-06', 'billing-app-11'] },
  { name: 'Payroll', criticality: 'medium', parts: ['payroll-01', 'payroll-07'] },
  { name: 'Mail', criticality: 'low', parts: ['mail-03'] },
];

type Line = readonly string[];
const esx = (n: number): string => `ams2-esx-${two(n)}`;
const rackOf = (n: number): number => Math.ceil(n / 3);
const instances = APPLICATIONS.flatMap(({ name, on }) => on.map((n) => ({ name: `${name}-${two(n)}`, on: n })));

const cis = (): Line[] => [
  ...['a', 'b'].map((letter) => [`ams2-ups-${letter}`, 'power_feed']),
  ['ams2-san-01', 'storage'],
  ...RACKS.flatMap((n) => [
    [`ams2-pdu-${two(n)}`, 'pdu'],
    [`ams2-acc-${two(n)}`, 'switch'],
  ]),
  ...upTo(12).map((n) => [esx(n), 'hypervisor']),
  ...instances.map(({ name }) => [name, name.includes('-db-') ? 'database' : 'application']),
];
const edges = (): Line[] => [
  // One of its two feeds is enough.
  ...[1, 2].map((n) => ['powered_by', 'ams2-san-01', `ams2-pdu-${two(n)}`, 'power']),
  ...RACKS.flatMap((n) => [
    ['powered_by', `ams2-pdu-${two(n)}`, `ams2-ups-${n % 2 === 1 ? 'a' : 'b'}`],
    ['powered_by', `ams2-acc-${two(n)}`, `ams2-pdu-${two(n)}`],
  ]),
  ...upTo(12).flatMap((n) => [
    ['powered_by', esx(n), `ams2-pdu-${two(rackOf(n))}`],
    ['depends_on', esx(n), `ams2-acc-${two(rackOf(n))}`],
  ]),
  ...instances.map(({ name, on }) => ['runs_on', name, esx(on)]),
  ...instances.flatMap(({ name }) => (name.startsWith('shop-web') ? [['depends_on', name, 'shop-db-05']] : [])),
];

type Told = readonly [secondsAgo: number, source: string, hostname: string, severity: string, title: string];
const down = (rack: number, ago: number): Told[] => [
  [ago, 'nagios', `ams2-acc-${two(rack)}`, 'critical', `Host DOWN: ams2-acc-${two(rack)} does not answer`],
  ...[1, 2, 3].map((n): Told => {
    const host = esx((rack - 1) * 3 + n);
    return [ago - 6 * n, 'zabbix', host, 'critical', `${host} is unreachable for 1 minute`];
  }),
  ...instances
    .filter(({ on }) => rackOf(on) === rack)
    .map(({ name }, at): Told => [ago - 24 - 5 * at, 'prometheus', name, 'major', `${name} answers with HTTP 503`]),
];
const POWER = 4 * 60;
const SWITCH = 41 * 60;
const told: readonly Told[] = [
  [POWER, 'nagios', 'ams2-ups-b', 'critical', 'Power feed lost on ams2-ups-b'],
  ...[2, 4].map((n): Told => [POWER - 8, 'nagios', `ams2-pdu-${two(n)}`, 'critical', `No input on ams2-pdu-${two(n)}`]),
  ...[2, 4].flatMap((rack) => down(rack, POWER - 12 - rack)),
  ...down(1, SWITCH),
  [25 * 60, 'prometheus', 'ams2-esx-08', 'warning', 'CPU steal of 30 % on ams2-esx-08'],
  [24 * 60, 'datadog', 'shop-web-08', 'warning', 'shop-web-08 answers after 4 s'],
  ...upTo(48).map((n): Told => {
    const host = instances[(n * 5) % instances.length]!.name;
    const [severity, title] = [
      ['info', `Certificate of ${host} ends in ${20 + n} days`],
      ['minor', `Queue of ${host} holds ${100 + n} messages`],
      ['warning', `Disk of ${host} is ${80 + (n % 15)} % full`],
    ][n % 3]!;
    return [3_600 + n * 840, n % 2 === 0 ? 'zabbix' : 'datadog', host, severity!, title!];
  }),
];

const csv = (head: string, lines: readonly Line[]): string =>
  `${head}\n${lines.map((line) => line.join()).join('\n')}\n`;

/** Everything through the interface that monitors and users use; `at` is the time of the server. */
export async function furnishCompany({ ask, app }: TestConsole, at: number): Promise<void> {
  const type = { 'content-type': 'text/csv' };
  await ask('POST', '/v1/cmdb/import/ci', csv('name,type', cis()), type);
  await ask(
    'POST',
    '/v1/cmdb/import/relationships',
    csv(
      'type,source_ci,target_ci,attributes.redundancy_group',
      edges().map(([a = '', b = '', c = '', group = '']) => [a, b, c, group]),
    ),
    type,
  );
  const { data } = await ask('GET', '/api/cmdb/ci?limit=100');
  const ids = new Map<string, string>(data.map((ci: { _id: string; name: string }) => [ci.name, ci._id]));
  for (const { parts, ...service } of SERVICES)
    await ask('POST', '/v1/services', { ...service, components: parts.map((name) => ({ ci_id: ids.get(name) })) });
  for (const [secondsAgo, source, hostname, severity, title] of [...told].sort((one, other) => other[0] - one[0]))
    await ask('POST', '/api/events/ingest', {
      source,
      sourceId: `${hostname} ${title}`,
      hostname,
      severity,
      title,
      timestamp: new Date(at - secondsAgo * 1_000).toISOString(),
    });
  await app.idle();

  const ada = { username: 'ada', password: 'a long enough password' };
  await ask('POST', '/api/admin/users', { ...ada, name: 'Ada', role: 'operator' });
  const { data: login } = await ask('POST', '/api/auth/login', ada);
  const { groups } = await ask('GET', '/api/events/groups?search=ams2-acc-01');
  const as = { authorization: `Bearer ${login.token}` };
  await ask('POST', '/api/events/status', { correlationId: groups[0].correlationId, status: 'acknowledged' }, as);
  await app.idle();
}
