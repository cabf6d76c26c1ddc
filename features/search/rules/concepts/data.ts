import { type Concepts, FAILED } from './concept.ts';

/** Databases, clusters, and who may see what. */
export const DATA: Concepts = {
  database: [
    'database|databases|db|dbs|postgres|postgresql|mysql|mariadb|oracle|mssql|sqlserver|mongodb|mongo|cassandra|db2|rds|sql|psql',
  ],
  replication: [
    'replication|binlog|wal',
    'replica|replicas|standby|slave|secondary|follower lag|delay|behind|broken|stopped|failed|error|late|sync|delayed|lagging|down',
    'seconds|falling behind',
  ],
  deadlock: [
    'deadlock|deadlocks|deadlocked',
    'lock|locks wait|waits|timeout|contention|held|waiting|blocked|table',
    'blocked|blocking|blocker query|queries|session|sessions|transaction|transactions',
  ],
  'slow-query': [
    'slow|long|expensive query|queries|sql|statement|statements|select',
    'long running transaction|transactions',
    'query|queries time|duration|latency|timeout',
  ],
  'connection-pool': [
    'connection|connections|pool|sessions|clients exhausted|pool|limit|max|maximum|many|full|slots|remaining|available|leak|leaked|run|used',
    'hikari|hikaripool|pgbouncer',
  ],
  corruption: ['corrupt|corrupted|corruption|checksum|checksums|inconsistent|inconsistency|damaged|integrity'],
  failover: [
    'failover|switchover|takeover|promoted|promotion|failback',
    'primary|master|leader|active lost|changed|elected|election|new|no|switched|switch|moved',
  ],
  'cluster-degraded': [
    'cluster|clusters red|yellow|degraded|unhealthy|status|quorum|partition|partitioned|member|broken|split',
    'unassigned|missing shard|shards',
    'under replicated',
    'quorum|splitbrain',
    'split brain',
    'lost redundancy',
  ],
  'cluster-eviction': [
    'evict|evicted|eviction|evictions|fenced|fencing|stonith|ejected|expelled|kicked',
    'node|nodes|member|members|instance|instances|broker|server left|leaves|leave|removed|dropped|thrown|dropping|expelled|lost cluster|rac|quorum',
    'cluster membership lost|lost|changed',
  ],
  cluster: ['cluster|clusters|clustered|clusterware|rac|pacemaker|corosync|galera'],
  cache: ['cache|caches|caching|memcached|redis|varnish|cached'],
  'search-engine': ['elasticsearch|opensearch|solr|lucene|shard|shards'],
  'login-failed': [
    `login|logins|logon|logons|authentication|authenticate|auth|signin|password|passwords|credential|credentials|ldap|sso|kerberos|radius|sign|signing ${FAILED}|invalid|wrong|denied|rejected|incorrect|cannot|unable|refused|not|locked|expired|attempts|impossible`,
    'log|logging in|cannot|on|can|unable',
    'unauthorized|unauthorised|401',
    'account|accounts|user|users locked|lockout|lockouts|disabled',
    'brute force|forcing',
  ],
  'access-denied': [
    'access|permission|permissions|privilege|privileges|rights denied|forbidden|refused|rejected|missing|insufficient|not|no',
    'forbidden|403|eacces|unauthorized|unauthorised',
    'not authorized|authorised|allowed|permitted',
  ],
  certificate: ['certificate|certificates|cert|certs|tls|ssl|x509|handshake'],
  'certificate-expired': [
    'certificate|certificates|cert|certs|tls|ssl|x509 expire|expires|expired|expiring|expiry|expiration|valid|invalid|validity|days|renew|renewal|renewed|outdated|old|soon|out',
  ],
  expired: ['expire|expires|expired|expiring|expiry|expiration|renew|renewal', 'out date', 'running|runs out soon'],
  intrusion: [
    'intrusion|malware|virus|viruses|ransomware|trojan|phishing|attack|attacks|attacker|exploit|compromised|breach|suspicious|botnet|antivirus|threat|threats|hacked|hacking|hacker|hackers|security|infected|infection|siem|edr',
  ],
  'denial-of-service': ['ddos|dos|flood|flooding', 'denial service', 'syn flood'],
  'port-scan': ['port|ports|network scan|scans|scanning|scanned', 'nmap'],
  vulnerability: [
    'vulnerability|vulnerabilities|vulnerable|cve|cves|unpatched|patches',
    'security update|updates|patch|patches',
  ],
  directory: [
    'ldap|kerberos|activedirectory|sso|saml|oidc|okta|radius',
    'active directory',
    'domain controller|controllers',
    'single sign',
  ],
};
