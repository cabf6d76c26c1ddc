import type { ServerRole } from '#features/analyzer/rules/catalogue/roles.ts';

/** Words in names and types of machines. */
const WORDS: Readonly<Record<ServerRole, string>> = {
  'web-server': 'web www webserver frontend fe front nginx apache iis httpd',
  'load-balancer': 'lb slb loadbalancer balancer haproxy vip f5 bigip netscaler adc traefik',
  'api-gateway': 'gw apigw gateway kong apigee',
  'application-server':
    'app apps application appserver api backend svc service tomcat jboss wildfly weblogic websphere was sap erp crm portal',
  scheduler: 'batch scheduler sched job jobs worker wrk airflow controlm',
  database:
    'db dbs database sql mssql sqlserver ora oracle pg pgsql postgres postgresql mysql maria mariadb mongo mongodb cassandra hana db2 rds',
  cache: 'cache redis memcached valkey hazelcast',
  search: 'search es elastic elasticsearch opensearch solr',
  'message-broker': 'mq queue broker kafka rabbit rabbitmq activemq bus mqtt nats messaging',
  'file-storage': 'file files fs nas san storage nfs smb filer ceph minio hdfs',
  directory: 'dc ad ldap directory ipa radius idm',
  dns: 'dns ns resolver nameserver',
  time: 'ntp',
  dhcp: 'dhcp',
  mail: 'mail smtp mx exchange imap relay',
  proxy: 'proxy squid',
  monitoring: 'mon monitor monitoring prometheus grafana nagios zabbix icinga observability',
  logging: 'log logs logging syslog splunk kibana graylog elk logstash',
  backup: 'backup bkp bck veeam netbackup bacula commvault tsm',
  virtualisation: 'esx esxi hypervisor vcenter hyperv kvm proxmox',
  orchestration: 'k8s kubernetes openshift ocp',
  coordination: 'zookeeper zk etcd consul',
  secrets: 'vault hsm',
  delivery: 'jenkins gitlab git nexus artifactory ci build deploy puppet ansible',
  'remote-access': 'bastion jump jumphost vpn',
  network: 'switch router firewall fw sw',
};

const BY_WORD: ReadonlyMap<string, ServerRole> = new Map(
  (Object.entries(WORDS) as [ServerRole, string][]).flatMap(([role, words]) =>
    words.split(' ').map((word) => [word, role] as const),
  ),
);
/** Shorter ones must stand alone, but for these. */
const LONG = 4;
const SHORT: ReadonlySet<string> = new Set(['web', 'app', 'sql', 'dns']);
const LONG_WORDS: readonly string[] = [...BY_WORD.keys()]
  .filter((word) => word.length >= LONG || SHORT.has(word))
  .sort((a, b) => b.length - a.length);
/** Also data centres, countries and the like: they count when nothing else does. */
const DOUBTFUL: ReadonlySet<string> = new Set(['dc', 'es', 'ad', 'ci', 'ns', 'was']);

/** Parts of names that describe the place or the customer of a machine, not its purpose. */
const AROUND =
  /^(?:prd|prod|dev|tst|test|uat|stg|stage|qa|int|srv|server|vm|lx|win|node|host)(?=.)|(?:prd|prod|dev|tst|test|uat|srv|server|vm|node)$/g;

const MAX_TEXT = 255;

export interface RoleWord {
  readonly role: ServerRole;
  readonly word: string;
}

/** The word within a part of a name: the whole part, or what it begins or ends with. */
function wordIn(part: string): string | null {
  if (BY_WORD.has(part)) return part;
  const core = part.replace(AROUND, '');
  if (BY_WORD.has(core)) return core;
  return LONG_WORDS.find((word) => part.startsWith(word) || part.endsWith(word)) ?? null;
}

/** Roles that the words of a name or type indicate; the domain of a hostname is ignored. */
export function roleWordsIn(text: string): RoleWord[] {
  const parts = text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((part) => [part, part.replace(/\d{1,6}$/, '')]);
  const found = new Map<ServerRole, string>();
  for (const part of parts) {
    const word = part === '' ? null : wordIn(part);
    const role = word === null ? undefined : BY_WORD.get(word);
    if (word !== null && role !== undefined && !found.has(role)) found.set(role, word);
  }
  const all = [...found].map(([role, word]) => ({ role, word }));
  const sure = all.filter(({ word }) => !DOUBTFUL.has(word));
  return sure.length > 0 ? sure : all;
}
