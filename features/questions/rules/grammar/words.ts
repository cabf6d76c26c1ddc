import { TIME_WORDS } from '#features/ai/rules/time/words.ts';
import type { Grouping } from '../query.ts';
import { phrases, type Sentence, wordSet } from './sentence.ts';

/* Words in the singular; a word of five letters or more may be mistyped by one letter. */

const table = <K extends string>(rows: Readonly<Partial<Record<K, string>>>): ReadonlyMap<string, K> =>
  new Map(
    Object.entries(rows).flatMap(([key, words]) =>
      (words as string).split(/\s+/).map((word) => [word, key as K] as const),
    ),
  );

/** The subject of the count, by one word. */
export const NOUNS = table<'events' | 'incidents' | 'occurrences' | 'relationships' | 'changes'>({
  events: 'event alert alarm notification alerting problem issue',
  incidents: 'incident outage group correlation',
  occurrences: 'occurrence repetition repeat firing',
  relationships: 'relationship dependency connection',
  changes: 'change deployment deploy release rollout',
});
export const EVENT_NOUNS = wordSet('event alert alarm notification alerting problem issue incident outage occurrence');

export const SEVERITY_WORDS = table({
  critical: 'critical crit p1 sev1 sev-1 s1 p-1 emergency disaster fatal',
  major: 'major p2 sev2 sev-2 s2 p-2 high serious',
  minor: 'minor p3 sev3 sev-3 s3 p-3 medium',
  warning: 'warning warn p4 sev4 sev-4 s4 p-4',
  info: 'info informational information p5 sev5 sev-5 s5 p-5 low',
});

export const STATUS_WORDS = table({
  open: 'open active outstanding ongoing unresolved unfixed unclosed standing',
  acknowledged: 'acknowledged acked ack acknowledge',
  resolved: 'resolved closed fixed solved cleared',
  suppressed: 'suppressed muted silenced snoozed',
});

/** Subjects of rows: a host is one whether or not it has a CI. */
export const GROUP_NOUNS = table<Grouping>({
  severity: 'severity priority',
  status: 'status state',
  source: 'source monitor tool sender origin feed integration',
  ci: 'ci asset element component item',
  host: 'host hostname machine device node box system endpoint',
  ci_type: 'type',
  service: 'service application app',
  environment: 'environment env stage tier',
  signature: 'signature pattern complaint message title kind cause check alertname',
  hour: 'hour hourly',
  day: 'day daily date',
  week: 'week weekly',
});

/** True for a noun that means CIs of any type. */
export const isCiNoun = (word: string): boolean => {
  const grouping = GROUP_NOUNS.get(word);
  return grouping === 'ci' || grouping === 'host';
};

/** Kinds of CIs, as tenants mostly call their types. */
export const CI_TYPES = table({
  server: 'server',
  database: 'database db',
  switch: 'switch',
  router: 'router',
  firewall: 'firewall',
  storage: 'storage',
  virtual_machine: 'vm virtual-machine',
  container: 'container',
  pod: 'pod',
  cluster: 'cluster',
  load_balancer: 'loadbalancer load-balancer',
  hypervisor: 'hypervisor',
  workstation: 'workstation laptop desktop',
  printer: 'printer',
  network_device: 'network-device',
});

/** `database servers` are databases. */
export const COMPOUND = wordSet('server host node system instance machine');
const APPS = wordSet('app application');
/** The type of CIs that a word means: a usual one, or one of the tenant, whose applications are no services. */
export const ciTypeAt = (sentence: Sentence, at: number): string | undefined => {
  const word = sentence.word(at);
  const own = APPS.has(word) ? ['application'] : GROUP_NOUNS.has(word) ? [] : [word, word.replace(/s$/, '')];
  return CI_TYPES.get(word) ?? own.find((one) => sentence.types.has(one));
};
/** The same for a word that is called an application and is one in the CMDB. */
export const isAppAt = (sentence: Sentence, at: number): boolean =>
  APPS.has(sentence.word(at)) && ciTypeAt(sentence, at) !== undefined;

/** Monitors that are known everywhere. */
export const SOURCES = wordSet(
  'zabbix nagios icinga naemon checkmk prometheus alertmanager cloudwatch aws azure gcp datadog grafana pagerduty otel opentelemetry splunk dynatrace newrelic sentry solarwinds prtg elastic kibana opsgenie sensu netdata cloudevents appdynamics instana logicmonitor centreon',
);

/** Environments that have several names, by the usual one. */
export const ENVIRONMENTS = table({
  production: 'production prod prd',
  staging: 'staging stg',
  development: 'development dev',
  test: 'test testing tst',
  qa: 'qa',
  uat: 'uat acceptance',
  'pre-production': 'pre-production preproduction preprod pre-prod',
  sandbox: 'sandbox',
  dr: 'dr',
});

/** Words of complaints of monitors, searched in titles. */
export const COMPLAINTS = wordSet(
  'disk cpu memory network latency timeout certificate cert ssl tls login authentication auth backup swap load ping link power temperature fan raid replication dns ntp http https tcp port interface filesystem space oom deadlock queue thread heap packet loss full down unreachable offline refused slow throughput bandwidth iops restart crash crashed reboot kernel license quota bgp ospf vpn',
);

export const MOST = wordSet(
  'most highest largest biggest greatest noisiest loudest worst busiest maximum max longest slowest hottest heaviest top unhealthiest commonest',
);
export const LEAST = wordSet(
  'least fewest lowest smallest quietest minimum min shortest fastest quickest bottom best healthiest calmest rarest',
);
export const NOISE = wordSet('noisiest loudest noisy noise busiest quietest calmest volume load');

export const SHARE = wordSet('share percentage percent proportion fraction portion part rate ratio % pct much');
export const CORRELATED = wordSet('correlated grouped correlation');
export const DEDUP = wordSet('dedup deduplication deduplicated dedupe deduped duplicate deduplicate duplication');
export const RESOLVING = wordSet(
  'resolve resolved resolution resolving repair repaired repairing fix fixed fixing recover recovered recovering recovery restore restored close closed clear cleared solve solved',
);
export const ACKNOWLEDGING = wordSet(
  'acknowledge acknowledged acknowledgement acknowledgment acknowledging ack acked acking respond responded react',
);
export const HOW_LONG = wordSet(
  'long longest fast fastest quick quickly quickest slow slowly slowest soon time shortest duration faster slower quicker longer shorter sooner',
);
export const HEALTH = wordSet('health healthy unhealthy healthiest unhealthiest wellbeing');
export const AI = wordSet('ai llm model openai gpt artificial');
export const COST = wordSet('cost spend spent spending expense bill price pay usage budget money expensive');

/** Carry no meaning of their own here. */
export const STOP = wordSet(
  `a an the older of in on at by for to from with and or is are was were be been being am do does did done has have had
  having i we us our my me you your they them their it its this that these those there here what which who how many
  much show list give get tell display find see count number total amount quantity sum overall please can could would
  will want need like know about all any each every some only just so far as than then also still currently now right
  moment present presently today't if when where while during within over per into out up off not-yet exactly report
  query data figure statistic stats chart table graph view overview summary summarize breakdown break down split
  distribution grouped group ranked rank sorted sort order ordered descending ascending desc asc plot draw generate
  create make come came coming go going gone happen happened happening occur occurred raise raised receive received
  saw seen got gotten open't opened arrive arrived trigger triggered fire fired produce produced generated cause
  caused send sent sending reported register registered recorded exist existing most't well work works working
  anything something everything nothing thing stuff ok okay hi hello hey thanks thank doing look looks looking touch
  touched touching affect affected affecting hit hitting involve involved involving impact impacted across between
  among average't per't take taken took usual't ever't yet already both either new newly recent recently lately first
  last't latest't tenant organization organisation estate infrastructure environment't landscape throw throws threw
  thrown throwing pls plz level levels value values period time range timeframe window ones one's side`,
);
/** Words that no reader may ignore. */
const STRONG = wordSet(
  'not without except excluding exclude excludes excluded never no non none nor neither ignoring ignore besides lacking',
);
/** Words of negation that no reader took. */
export const DENIALS = phrases(`other|rather|apart|aside|instead|outside than|from|of / ${[...STRONG].join('|')}`);

export const INCLUDING_DUPLICATES = phrases(`
  including|incl|include|with|counting|count all|every|each? the? single? duplicate|repeat|repetition
  / before dedup|deduplication|deduplicating / raw event|alert|alarm|notification|count|volume|message|number
  / total alert|event|alarm|message|notification volume / total volume / how many time / not|un deduplicated|deduped
  / undeduplicated|un-deduplicated|non-deduplicated event|alert|alarm`);

/** All that may be meant by a mistyped word. */
const vocabulary = (): ReadonlySet<string> => {
  const tables = [NOUNS, SEVERITY_WORDS, STATUS_WORDS, GROUP_NOUNS, CI_TYPES, ENVIRONMENTS].flatMap((one) => [
    ...one.keys(),
  ]);
  const sets = [EVENT_NOUNS, SOURCES, COMPLAINTS, MOST, LEAST, NOISE, SHARE, CORRELATED, DEDUP, RESOLVING];
  const more = [ACKNOWLEDGING, HOW_LONG, HEALTH, AI, COST, STOP, STRONG].concat(sets).flatMap((one) => [...one]);
  const others =
    'unacknowledged compare compared comparison versus against trend increase decrease raw including duplicate business configuration mean average trending criticality mttr mtta';
  return new Set([...tables, ...more, ...TIME_WORDS, ...others.split(' ')]);
};
const WORDS = vocabulary();
const pluralOf = (word: string): string => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`);
export const VOCABULARY = {
  words: WORDS,
  spellings: new Set([...WORDS].flatMap((word) => [word, pluralOf(word), `${word}es`])),
};
