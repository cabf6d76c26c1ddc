import { entryOf, itemAt } from '#domain/assert.ts';
import { APPLICATIONS, BUSINESS_SERVICES, DATABASES, OFFICE_MACHINES, SITES } from './names.ts';
import type { Random } from './random.ts';

export interface DemoCi {
  readonly name: string;
  readonly type: string;
  /** Site; null for clouds and objects without one. */
  readonly site: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** `source` depends on, runs on, uses … `target`. */
interface EstateLink {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly criticality: 'critical' | 'high' | 'medium' | 'low';
  /** False: true in reality, but missing in the CMDB. */
  readonly recorded: boolean;
}

/** A service by names of CIs. */
interface DemoService {
  readonly name: string;
  readonly components: readonly { readonly ci: string; readonly role: string }[];
}

export interface DemoInfrastructure {
  readonly cis: readonly DemoCi[];
  readonly links: readonly EstateLink[];
  readonly services: readonly DemoService[];
}

const DOMAIN = 'corp.example';
const RACKS = 4;
const HYPERVISORS_PER_RACK = 3;
/** No CMDB is complete. */
const FORGOTTEN = 0.04;

export const fqdnOf = (name: string): string => `${name}.${DOMAIN}`;
const numbered = (n: number): string => String(n).padStart(2, '0');

interface Plan {
  readonly random: Random;
  readonly cis: DemoCi[];
  readonly links: EstateLink[];
  addresses: number;
}

const addCi = (plan: Plan, name: string, type: string, site: string | null, more: DemoCi['attributes'] = {}) => {
  plan.cis.push({ name, type, site, attributes: { ...(site !== null && { site }), ...more } });
  return name;
};

/** A machine that a monitor reaches by name and address. */
const addHost = (plan: Plan, name: string, type: string, site: string, more: DemoCi['attributes'] = {}) => {
  plan.addresses += 1;
  const ip_address = `10.${20 + SITES.indexOf(site)}.${Math.floor(plan.addresses / 250)}.${(plan.addresses % 250) + 1}`;
  return addCi(plan, name, type, site, { hostname: name, fqdn: fqdnOf(name), ip_address, ...more });
};

const link = (plan: Plan, source: string, type: string, target: string, criticality: EstateLink['criticality']) =>
  plan.links.push({ source, type, target, criticality, recorded: !plan.random.chance(FORGOTTEN) });

/** Power, network and machines of one site; answers the names of its hypervisors. */
const addSite = (plan: Plan, site: string): string[] => {
  addCi(plan, site, 'site', null);
  const feeds = ['a', 'b'].map((letter) => addHost(plan, `${site}-ups-${letter}`, 'power_feed', site));
  const firewall = addHost(plan, `${site}-fw-01`, 'firewall', site);
  const cores = [1, 2].map((n) => addHost(plan, `${site}-core-${numbered(n)}`, 'switch', site, { role: 'core' }));
  for (const core of cores) link(plan, core, 'network_connection', firewall, 'high');
  for (const feed of feeds) link(plan, feed, 'located_in', site, 'medium');
  const storage = addHost(plan, `${site}-san-01`, 'storage_array', site);
  return Array.from({ length: RACKS }, (_, at) => {
    const rack = addCi(plan, `${site}-rack-${numbered(at + 1)}`, 'rack', site);
    const pdu = addHost(plan, `${site}-pdu-${numbered(at + 1)}`, 'pdu', site);
    const access = addHost(plan, `${site}-acc-${numbered(at + 1)}`, 'switch', site, { role: 'access' });
    link(plan, rack, 'located_in', site, 'low');
    link(plan, pdu, 'located_in', rack, 'low');
    link(plan, pdu, 'powered_by', itemAt(feeds, at % 2), 'critical');
    link(plan, access, 'powered_by', pdu, 'critical');
    link(plan, access, 'located_in', rack, 'low');
    for (const core of cores) link(plan, access, 'network_connection', core, 'medium');
    if (at === 0)
      for (const type of ['located_in', 'powered_by'])
        link(plan, storage, type, type === 'located_in' ? rack : pdu, 'high');
    return Array.from({ length: HYPERVISORS_PER_RACK }, (_, n) => {
      const name = `${site}-esx-${numbered(at * HYPERVISORS_PER_RACK + n + 1)}`;
      addHost(plan, name, 'hypervisor', site, { vendor: 'Dell', model: 'PowerEdge R750' });
      link(plan, name, 'located_in', rack, 'low');
      link(plan, name, 'powered_by', pdu, 'critical');
      link(plan, name, 'network_connection', access, 'critical');
      link(plan, name, 'uses', storage, 'critical');
      return name;
    });
  }).flat();
};

/** Spreads machines over hypervisors, one after the other, as schedulers do. */
const placer = (plan: Plan, hypervisors: ReadonlyMap<string, readonly string[]>) => {
  const used = new Map<string, number>();
  return (name: string, site: string, more: DemoCi['attributes'] = {}): string => {
    const at = used.get(site) ?? 0;
    used.set(site, at + 1);
    const hosts = entryOf(hypervisors, site);
    addHost(plan, name, 'virtual_machine', site, { os: 'Linux', ...more });
    link(plan, name, 'hosted_on', itemAt(hosts, (at * 5 + Math.floor(at / hosts.length)) % hosts.length), 'critical');
    return name;
  };
};
type Placer = ReturnType<typeof placer>;

const addDatabase = (plan: Plan, place: Placer, name: string, site: string): void => {
  const add = (role: string, number: number): string => {
    const database = addCi(plan, `pg-${name}-${role}`, 'database', site, { engine: 'PostgreSQL 16', role });
    link(
      plan,
      database,
      'runs_on',
      place(`${site}-db-${name}-${numbered(number)}`, site, { role: 'database' }),
      'critical',
    );
    return database;
  };
  const primary = add('primary', 1);
  link(plan, add('replica', 2), 'depends_on', primary, 'medium');
};

/** Adds objects that many applications of a site use. */
const addShared = (plan: Plan, place: Placer, site: string): void => {
  for (const [name, type] of [
    ['dns', 'dns_server'],
    ['rabbitmq', 'message_queue'],
    ['redis', 'cache'],
  ] as const) {
    const ci = addCi(plan, `${name}-${site}`, type, site);
    link(plan, ci, 'runs_on', place(`${site}-${name}-01`, site), 'critical');
  }
  addHost(plan, `${site}-lb-01`, 'load_balancer', site);
};

const addApplications = (plan: Plan, place: Placer): void => {
  for (const app of APPLICATIONS) addCi(plan, app.name, 'application', app.site, { team: app.team });
  for (const { name, site, machines, calls, uses } of APPLICATIONS) {
    for (let n = 1; n <= machines; n++)
      link(plan, name, 'runs_on', place(`${site}-${name}-${numbered(n)}`, site), 'high');
    for (const callee of calls)
      link(plan, name, 'depends_on', callee, plan.random.pick(['critical', 'high', 'medium'] as const));
    if (DATABASES.some((database) => database.name === name))
      link(plan, name, 'database_connection', `pg-${name}-primary`, 'critical');
    for (const shared of uses) link(plan, name, 'uses', `${shared}-${site}`, 'high');
    link(plan, name, 'uses', `dns-${site}`, 'medium');
  }
};

const addBusiness = (plan: Plan): void => {
  for (const { name, apps, balancer } of BUSINESS_SERVICES) {
    addCi(plan, name, 'business_service', null, { criticality: 'critical' });
    for (const app of apps) link(plan, name, 'depends_on', app, 'critical');
    if (balancer === null) continue;
    link(plan, name, 'uses', balancer, 'critical');
    for (const app of apps) link(plan, balancer, 'depends_on', app, 'high');
  }
};

/** Software in data centers of others. */
const addCloud = (plan: Plan): void => {
  const aws = 'arn:aws:rds:eu-central-1:210987654321:db:';
  for (const name of ['reporting-db', 'archive-db'])
    addCi(plan, name, 'cloud_database', null, { cloud: 'aws', arn: aws + name });
  for (const name of ['az-bi-01', 'az-ml-01']) addCi(plan, name, 'cloud_vm', null, { cloud: 'azure', hostname: name });
  for (const app of ['reporting', 'crm', 'analytics'])
    link(plan, app, 'database_connection', 'reporting-db', 'critical');
  for (const app of ['invoicing', 'billing']) link(plan, app, 'database_connection', 'archive-db', 'high');
  link(plan, 'analytics', 'runs_on', 'az-bi-01', 'high');
  link(plan, 'recommendations', 'uses', 'az-ml-01', 'medium');
};

const serviceOf = ({ name, apps, balancer }: (typeof BUSINESS_SERVICES)[number]): DemoService => ({
  name,
  components: [
    ...(balancer === null ? [] : [{ ci: balancer, role: 'load-balancer' }]),
    ...apps.map((ci) => ({ ci, role: 'application' })),
  ],
});

/** Three sites, two clouds, 27 applications and their infrastructure. The same seed returns the same result. */
export const buildInfrastructure = (random: Random): DemoInfrastructure => {
  const plan: Plan = { random: random.fork('estate'), cis: [], links: [], addresses: 0 };
  const place = placer(plan, new Map(SITES.map((site) => [site, addSite(plan, site)])));
  for (const site of SITES) addShared(plan, place, site);
  for (const { name, site } of DATABASES) addDatabase(plan, place, name, site);
  addApplications(plan, place);
  addCloud(plan);
  addBusiness(plan);
  for (const site of SITES) for (const name of OFFICE_MACHINES) place(`${site}-${name}`, site);
  return { cis: plan.cis, links: plan.links, services: BUSINESS_SERVICES.map(serviceOf) };
};
