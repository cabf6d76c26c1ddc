/** The software of a well-known port, and words of types and processes that agree with it. */
export interface KnownPort {
  readonly name: string;
  readonly words: readonly string[];
}

const DATABASE = ['database', 'db'];
const QUEUE = ['queue', 'broker', 'messaging'];
const DIRECTORY = ['directory', 'ldap', 'domain'];
const STORAGE = ['storage', 'nas', 'filer'];

const port = (name: string, ...words: readonly string[]): KnownPort => ({ name, words });

/** Ports of services that others depend on: a connection to one is a dependency. */
export const NEEDED_PORTS: ReadonlyMap<number, KnownPort> = new Map([
  // Databases
  [1433, port('SQL Server', 'sqlservr', 'mssql', ...DATABASE)],
  [1521, port('Oracle', 'oracle', 'tnslsnr', ...DATABASE)],
  [1526, port('Oracle', 'oracle', 'tnslsnr', ...DATABASE)],
  [2483, port('Oracle', 'oracle', 'tnslsnr', ...DATABASE)],
  [2484, port('Oracle over TLS', 'oracle', 'tnslsnr', ...DATABASE)],
  [3306, port('MySQL', 'mysql', 'mariadb', ...DATABASE)],
  [33060, port('MySQL X', 'mysql', ...DATABASE)],
  [5432, port('PostgreSQL', 'postgres', ...DATABASE)],
  [6432, port('PgBouncer', 'pgbouncer', 'postgres', ...DATABASE)],
  [50000, port('Db2', 'db2', ...DATABASE)],
  [3050, port('Firebird', 'firebird', ...DATABASE)],
  [5000, port('SAP ASE', 'sybase', 'dataserver', ...DATABASE)],
  [30015, port('SAP HANA', 'hana', 'hdb', ...DATABASE)],
  [27017, port('MongoDB', 'mongo', ...DATABASE)],
  [27018, port('MongoDB', 'mongo', ...DATABASE)],
  [9042, port('Cassandra', 'cassandra', 'scylla', ...DATABASE)],
  [9160, port('Cassandra Thrift', 'cassandra', ...DATABASE)],
  [7687, port('Neo4j', 'neo4j', ...DATABASE)],
  [8086, port('InfluxDB', 'influx', ...DATABASE)],
  [9000, port('ClickHouse', 'clickhouse', ...DATABASE)],
  [8123, port('ClickHouse', 'clickhouse', ...DATABASE)],
  [26257, port('CockroachDB', 'cockroach', ...DATABASE)],
  [5984, port('CouchDB', 'couch', ...DATABASE)],
  [11210, port('Couchbase', 'couchbase', 'memcached', ...DATABASE)],
  [4000, port('TiDB', 'tidb', ...DATABASE)],
  // Caches and search
  [6379, port('Redis', 'redis', 'valkey', 'cache')],
  [26379, port('Redis Sentinel', 'redis', 'sentinel')],
  [11211, port('Memcached', 'memcached', 'cache')],
  [9200, port('Elasticsearch', 'elasticsearch', 'opensearch', 'search')],
  [8983, port('Solr', 'solr', 'search')],
  [47500, port('Ignite', 'ignite', 'cache')],
  // Queues
  [5672, port('AMQP', 'rabbitmq', 'beam', 'qpid', ...QUEUE)],
  [5671, port('AMQP over TLS', 'rabbitmq', 'beam', 'qpid', ...QUEUE)],
  [9092, port('Kafka', 'kafka', ...QUEUE)],
  [9093, port('Kafka over TLS', 'kafka', ...QUEUE)],
  [61616, port('ActiveMQ', 'activemq', 'artemis', ...QUEUE)],
  [1414, port('IBM MQ', 'amqrmppa', 'runmqlsr', 'mq', ...QUEUE)],
  [4222, port('NATS', 'nats', ...QUEUE)],
  [1883, port('MQTT', 'mosquitto', 'mqtt', ...QUEUE)],
  [8883, port('MQTT over TLS', 'mosquitto', 'mqtt', ...QUEUE)],
  [6650, port('Pulsar', 'pulsar', ...QUEUE)],
  [2181, port('ZooKeeper', 'zookeeper')],
  [2379, port('etcd', 'etcd')],
  [8500, port('Consul', 'consul')],
  [8200, port('Vault', 'vault')],
  // Directories, names, time
  [53, port('DNS', 'named', 'bind', 'unbound', 'coredns', 'dns')],
  [88, port('Kerberos', 'kdc', 'krb5kdc', 'lsass', ...DIRECTORY)],
  [389, port('LDAP', 'slapd', 'lsass', ...DIRECTORY)],
  [636, port('LDAP over TLS', 'slapd', 'lsass', ...DIRECTORY)],
  [3268, port('Global Catalog', 'lsass', ...DIRECTORY)],
  [3269, port('Global Catalog over TLS', 'lsass', ...DIRECTORY)],
  [1812, port('RADIUS', 'radius')],
  [123, port('NTP', 'ntpd', 'chronyd', 'ntp')],
  // Storage
  [111, port('RPC port mapper', 'rpcbind', 'nfs', ...STORAGE)],
  [2049, port('NFS', 'nfs', ...STORAGE)],
  [445, port('SMB', 'smbd', 'samba', ...STORAGE)],
  [3260, port('iSCSI', 'iscsi', 'tgtd', ...STORAGE)],
  [6789, port('Ceph', 'ceph', ...STORAGE)],
  // Mail
  [25, port('SMTP', 'postfix', 'master', 'exim', 'mail')],
  [587, port('SMTP submission', 'postfix', 'master', 'exim', 'mail')],
]);

/** Ports of the web: much is there that one can do without. */
export const WEB_PORTS: ReadonlyMap<number, KnownPort> = new Map([
  [80, port('HTTP', 'nginx', 'apache', 'httpd', 'haproxy', 'iis', 'web', 'balancer')],
  [443, port('HTTPS', 'nginx', 'apache', 'httpd', 'haproxy', 'iis', 'web', 'balancer')],
  [8080, port('HTTP', 'java', 'tomcat', 'nginx', 'application', 'web')],
]);
