/** Words in names that identify the purpose of a machine: `billing` in `fra1-billing-db-02.prod.example.net`. */

import { int32At, itemAt } from '#domain/assert.ts';
import type { InfrastructureCi } from './infrastructure.ts';

/** Role, environment and build of a machine: no purpose. */
const USUAL: ReadonlySet<string> = new Set(
  [
    'web www http https app apps application api rest frontend front backend back db database sql data cache',
    'queue broker mq bus worker batch job jobs task lb proxy gateway gw balancer ingress edge search index file',
    'files nfs nas server srv svr svc service services host node vm pod container cluster instance master',
    'primary replica secondary standby slave main core member shard linux windows win ubuntu debian rhel centos',
    'esx esxi aws azure gcp cloud nginx apache tomcat java jboss iis php python dotnet haproxy envoy mysql',
    'maria mariadb postgres postgresql pg oracle ora mssql mongo mongodb redis kafka rabbit rabbitmq activemq',
    'elastic elasticsearch solr cassandra memcached etcd monitoring monitor mon backup bkp log logs logging dns',
    'ntp ldap mail smtp internal intern external extern public private local new old tmp temp misc east west',
    'north south central eu us de uk fr region zone site dc lan net',
  ].flatMap((row) => row.split(' ')),
);

/** Environment of each word. */
const ENVIRONMENTS: ReadonlyMap<string, string> = new Map([
  ...(['prod', 'prd', 'production', 'live'] as const).map((word) => [word, 'production'] as const),
  ...(['test', 'tst', 'testing'] as const).map((word) => [word, 'test'] as const),
  ...(['dev', 'develop', 'development'] as const).map((word) => [word, 'development'] as const),
  ...(['qa', 'uat', 'int', 'integration', 'abnahme'] as const).map((word) => [word, 'acceptance'] as const),
  ...(['stage', 'staging', 'stg', 'preprod', 'pre'] as const).map((word) => [word, 'staging'] as const),
  ...(['demo', 'sandbox', 'lab', 'poc'] as const).map((word) => [word, 'demo'] as const),
]);

/** Written together with the purpose: `billingdb01`, `webshop`. */
const AFFIXES = 'web|app|api|db|sql|srv|svr|svc|prod|test|dev|lb|mq|proxy|cache|worker|node|host|server';
const SUFFIX = new RegExp(`^([a-z]{3,})(?:${AFFIXES})$`);
const PREFIX = new RegExp(`^(?:${AFFIXES})([a-z]{4,})$`);
const SHORTEST = 2;
const MAX_WORDS = 8;
const ADDRESS = /^[\d.]+$|:/;

const isPurpose = (part: string): boolean => !USUAL.has(part) && !ENVIRONMENTS.has(part);

const withoutAffix = (part: string): string => SUFFIX.exec(part)?.[1] ?? PREFIX.exec(part)?.[1] ?? part;

/** Distinctive words of a name without its domain, in their order. */
const partsOf = (name: string): string[] => {
  const label = ADDRESS.test(name) ? '' : (name.toLowerCase().split('.')[0] ?? '');
  const parts = label.split(/[^a-z\u00df-\uffff]+/).filter((part) => part.length >= SHORTEST && isPurpose(part));
  return [...new Set(parts.map(withoutAffix).filter(isPurpose))].slice(0, MAX_WORDS);
};

/** The environment that a name speaks of, or null. */
export const environmentOf = (name: string): string | null => {
  const parts = name.toLowerCase().split(/[^a-z]+/);
  for (const part of parts) {
    const environment = ENVIRONMENTS.get(part);
    if (environment !== undefined) return environment;
  }
  return null;
};

/** Words that more CIs have than this name a company or a site. */
const commonFrom = (cis: number): number => Math.max(30, 2 * Math.sqrt(cis));

export interface NameWords {
  readonly words: readonly string[];
  /** Numbers of the words of each CI, and of its rarest word; -1 without any. */
  readonly ofCi: readonly (readonly number[])[];
  readonly rarest: Int32Array;
}

/** Returns the distinctive words of all names. */
export function nameWords(cis: readonly InfrastructureCi[]): NameWords {
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const all: number[][] = [];
  for (const { name } of cis) {
    all.push(
      partsOf(name).map((word) => {
        const number = numbers.get(word) ?? numbers.size;
        numbers.set(word, number);
        counts[number] = (counts[number] ?? 0) + 1;
        return number;
      }),
    );
  }
  const common = commonFrom(cis.length);
  const isTelling = (word: number): boolean => itemAt(counts, word) <= common;
  const rarest = new Int32Array(cis.length).fill(-1);
  for (const [ci, own] of all.entries()) {
    const telling = own.every(isTelling) ? own : own.filter(isTelling);
    all[ci] = telling;
    for (const word of telling)
      if (rarest[ci] === -1 || itemAt(counts, word) < itemAt(counts, int32At(rarest, ci))) rarest[ci] = word;
  }
  return { words: [...numbers.keys()], ofCi: all, rarest };
}

export const shareWord = (one: readonly number[], other: readonly number[]): boolean =>
  one.some((word) => other.includes(word));
