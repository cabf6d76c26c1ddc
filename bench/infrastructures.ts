/**
 * Estates whose services are known: what a CMDB holds of a company after years. Each degree of mess adds what blurs services: databases that
 * several share, ports that say nothing, calls between services, names without a purpose, monitoring that talks to all.
 */
import { chanceOf } from './chance.ts';

interface EstateCi {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}
/** From who calls to who is called; ends are places in the list of CIs. */
interface EstateLink {
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly port: number | null;
}
interface Estate {
  readonly cis: readonly EstateCi[];
  readonly links: readonly EstateLink[];
}

export interface Mess {
  readonly name: string;
  /** Share of services that keep their data in a database of another one. */
  readonly sharedDatabases: number;
  /** Share of links whose port is odd, or not known. */
  readonly oddPorts: number;
  /** Calls to front doors of other services, for each service. */
  readonly callsAcross: number;
  /** Links of any kind to any CI, for each hundred CIs. */
  readonly stray: number;
  /** Share of CIs whose name tells nothing. */
  readonly nameless: number;
}

export const DEGREES: readonly Mess[] = [
  { name: 'tidy', sharedDatabases: 0.1, oddPorts: 0.1, callsAcross: 1, stray: 1, nameless: 0.05 },
  { name: 'usual', sharedDatabases: 0.25, oddPorts: 0.25, callsAcross: 2, stray: 3, nameless: 0.15 },
  { name: 'messy', sharedDatabases: 0.4, oddPorts: 0.5, callsAcross: 3, stray: 8, nameless: 0.35 },
];

export interface KnownInfrastructure {
  readonly estate: Estate;
  /** By CI: the service that it was made for; -1 for what serves all. */
  readonly truth: readonly number[];
}

const SYLLABLES = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'hel',
  'in',
  'ka',
  'lo',
  'mer',
  'nu',
  'or',
  'pa',
  'qui',
  'ri',
  'so',
  'ta',
  'ul',
  've',
  'zen',
];
const SITES = ['fra', 'nyc', 'sin', 'lon'];
const DATABASES = [5432, 3306, 1521, 1433, 27017];
const INTERNAL = [8080, 8443, 9000, 8081, 7001, 5672, 6379, 9092];
const TIERS = ['web', 'app', 'db'] as const;
type Tier = (typeof TIERS)[number];

interface Made {
  readonly tiers: Readonly<Record<Tier, number[]>>;
}

export function makeInfrastructure(services: number, mess: Mess, seed: number): KnownInfrastructure {
  const random = chanceOf(seed);
  const whole = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const cis: EstateCi[] = [];
  const truth: number[] = [];
  const links: EstateLink[] = [];
  const words = new Set<string>();
  while (words.size < services) words.add(Array.from({ length: whole(2, 3) }, () => one(SYLLABLES)).join(''));
  const names = [...words];

  const add = (name: string, type: string, service: number): number => {
    truth.push(service);
    return cis.push({ id: `01CI${String(cis.length).padStart(22, '0')}`, name, type }) - 1;
  };
  const link = (source: number, target: number, type: string, port: number | null): void => {
    if (source !== target) links.push({ source, target, type, port });
  };
  const portOf = (usual: number): number | null => {
    if (random() >= mess.oddPorts) return usual;
    return random() < 0.5 ? null : whole(10_000, 60_000);
  };
  const nameOf = (service: number, tier: Tier, n: number): string => {
    const number = String(n).padStart(2, '0');
    if (random() < mess.nameless) return `srv${whole(10_000, 99_999)}`;
    const site = `${one(SITES)}${whole(1, 2)}`;
    return one([
      `${site}-${names[service]}-${tier}-${number}`,
      `${names[service]}${tier}${number}.example.net`,
      `${site}-${tier}-${names[service]}-${number}`,
    ]);
  };
  const some = (service: number, tier: Tier, count: number, type: string): number[] =>
    Array.from({ length: count }, (_, n) => add(nameOf(service, tier, n + 1), type, service));

  const made: Made[] = [];
  for (let service = 0; service < services; service++) {
    const hasOwn = service === 0 || random() >= mess.sharedDatabases;
    const tiers = {
      web: some(service, 'web', whole(1, 4), 'server'),
      app: some(service, 'app', whole(1, 6), one(['server', 'virtual_machine', 'application'])),
      db: hasOwn ? some(service, 'db', whole(1, 3), one(['server', 'database'])) : [],
    };
    made.push({ tiers });
    const { web, app, db } = tiers;
    for (const front of web)
      for (const back of app) if (random() < 0.8) link(front, back, 'depends_on', portOf(one(INTERNAL)));
    for (const back of app) {
      const stores = hasOwn ? db : made[Math.floor(random() * service)]!.tiers.db;
      const port = one(DATABASES);
      for (const store of stores) if (random() < 0.8) link(back, store, 'database_connection', portOf(port));
      if (app.length > 1 && random() < 0.4) link(back, one(app), 'network_connection', portOf(one(INTERNAL)));
    }
    for (let i = 1; i < db.length; i++) link(db[i]!, db[0]!, 'network_connection', portOf(one(DATABASES)));
  }
  for (const { tiers } of made)
    for (let call = 0; call < mess.callsAcross; call++)
      if (random() < 0.8)
        link(
          one(tiers.app),
          one(one(made).tiers.web),
          'network_connection',
          random() < mess.oddPorts ? portOf(443) : 443,
        );

  const serving = cis.length;
  const shared = [
    ['switch', serving / 20],
    ['hypervisor', serving / 10],
    ['storage', serving / 50],
  ] as const;
  for (const [type, count] of shared)
    for (let n = 0; n < Math.max(2, count); n++) {
      const carrier = add(`${one(SITES)}${whole(1, 2)}-${type}-${n}`, type, -1);
      for (let i = 0; i < 12; i++)
        link(whole(0, serving - 1), carrier, one(['runs_on', 'network_connection', 'uses', 'hosted_on']), null);
    }
  for (const [name, port] of [
    ['dns', 53],
    ['ldap', 389],
    ['backup', 10_050],
    ['syslog', 514],
  ] as const) {
    const server = add(`${one(SITES)}1-${name}-01`, 'server', -1);
    for (let ci = 0; ci < serving; ci++) if (random() < 0.7) link(ci, server, 'network_connection', port);
  }
  const jump = add(`${one(SITES)}1-automation-01`, 'server', -1);
  for (let ci = 0; ci < serving; ci++) if (random() < 0.5) link(jump, ci, 'network_connection', null);
  for (let n = 0; n < (serving * mess.stray) / 100; n++)
    link(whole(0, serving - 1), whole(0, serving - 1), 'network_connection', portOf(one(INTERNAL)));
  return { estate: { cis, links }, truth };
}

/** F1 over pairs of CIs that were made for a service: are they put together who belong together? */
export function pairF1(truth: readonly number[], found: ArrayLike<number>): number {
  const pairsOf = (counts: Iterable<number>): number => [...counts].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
  const counted = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return pairsOf(counts.values());
  };
  const known = truth.flatMap((service, ci) => (service === -1 ? [] : [ci]));
  // What was put into no service stands by itself.
  const foundOf = (ci: number): string => (found[ci] === -1 ? `alone ${ci}` : String(found[ci]));
  const both = counted(known.map((ci) => `${truth[ci]} ${foundOf(ci)}`));
  const together = counted(known.map(foundOf));
  const belong = counted(known.map((ci) => String(truth[ci])));
  const [precision, recall] = [both / Math.max(1, together), both / Math.max(1, belong)];
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
