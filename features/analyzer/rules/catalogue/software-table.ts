/*
 * Software, one line each: id | name | vendor | role | processes | ports | further names | software that it comes with.
 * Ports are those of a default installation, TCP unless said otherwise, each with its purpose where there are several. The role `runtime`
 * runs programs of all kinds; an `agent` runs on every machine: neither tells what a machine is there for.
 */
export const SOFTWARE_TABLE = `
nginx | NGINX | F5 | web-server | nginx | 80 HTTP, 443 HTTPS | nginx plus, openresty |
apache-httpd | Apache HTTP Server | Apache Software Foundation | web-server | httpd, apache2 | 80 HTTP, 443 HTTPS | apache, apache2, httpd, apache httpd |
iis | Internet Information Services | Microsoft | web-server | w3wp, inetinfo, iisexpress | 80 HTTP, 443 HTTPS | iis, microsoft iis | dotnet
caddy | Caddy | Caddy | web-server | caddy | 80 HTTP, 443 HTTPS, 2019 administration | |
lighttpd | lighttpd | lighttpd | web-server | lighttpd | 80 HTTP, 443 HTTPS | |
varnish | Varnish Cache | Varnish Software | load-balancer | varnishd | 6081 HTTP, 6082 administration | varnish |
haproxy | HAProxy | HAProxy Technologies | load-balancer | haproxy | 80 HTTP, 443 HTTPS, 8404 statistics | ha proxy | keepalived
traefik | Traefik Proxy | Traefik Labs | load-balancer | traefik | 80 HTTP, 443 HTTPS, 8080 dashboard | traefik |
envoy | Envoy | Cloud Native Computing Foundation | load-balancer | envoy | 10000 listener, 9901 administration | envoy proxy |
keepalived | Keepalived | Keepalived | load-balancer | keepalived | | |
big-ip | BIG-IP | F5 | load-balancer | tmm, mcpd, bigd | 80 HTTP, 443 HTTPS | f5 big-ip, bigip, f5 ltm |
netscaler | NetScaler ADC | Citrix | load-balancer | nsppe, nsconfigd | 80 HTTP, 443 HTTPS | citrix adc, citrix netscaler |
kong | Kong Gateway | Kong | api-gateway | kong | 8000 HTTP proxy, 8443 HTTPS proxy, 8001 administration | kong api gateway | postgresql
apigee | Apigee Edge | Google | api-gateway | edge-router, edge-message-processor | 9001 router, 8998 message processor | | cassandra, zookeeper
openjdk | Java | Oracle, Eclipse Adoptium and others | runtime | java, javaw | | jdk, jre, jvm, openjdk, oracle java, temurin |
nodejs | Node.js | OpenJS Foundation | runtime | node, nodejs, pm2 | 3000 HTTP | node js, express.js, expressjs |
dotnet | .NET | Microsoft | runtime | dotnet | 5000 HTTP, 5001 HTTPS | asp.net, aspnet, kestrel, .net core |
python | Python | Python Software Foundation | runtime | python, python3 | 8000 HTTP | django, flask, fastapi |
php-fpm | PHP-FPM | The PHP Group | application-server | php-fpm, php-fpm8 | 9000 FastCGI | php, php fpm |
gunicorn | Gunicorn | Gunicorn | application-server | gunicorn | 8000 HTTP | | python
uwsgi | uWSGI | unbit | application-server | uwsgi | 3031 uwsgi protocol | | python
uvicorn | Uvicorn | Encode | application-server | uvicorn | 8000 HTTP | | python
puma | Puma | Puma | application-server | puma | 9292 HTTP, 3000 HTTP | ruby on rails, rails |
tomcat | Apache Tomcat | Apache Software Foundation | application-server | tomcat, tomcat8, tomcat9, tomcat10, catalina | 8080 HTTP, 8443 HTTPS, 8009 AJP, 8005 shutdown | tomcat | openjdk
jetty | Eclipse Jetty | Eclipse Foundation | application-server | jetty | 8080 HTTP, 8443 HTTPS | jetty | openjdk
wildfly | WildFly | Red Hat | application-server | wildfly, jboss | 8080 HTTP, 8443 HTTPS, 9990 management | jboss, jboss eap | openjdk
weblogic | WebLogic Server | Oracle | application-server | weblogic, startweblogic | 7001 HTTP, 7002 HTTPS, 5556 node manager | oracle weblogic, weblogic | openjdk
websphere | WebSphere Application Server | IBM | application-server | websphere | 9080 HTTP, 9443 HTTPS, 9060 administration, 8880 SOAP, 2809 bootstrap | websphere, ibm was | openjdk
open-liberty | Open Liberty | IBM | application-server | liberty | 9080 HTTP, 9443 HTTPS | liberty, websphere liberty | openjdk
glassfish | GlassFish | Eclipse Foundation | application-server | glassfish, payara | 8080 HTTP, 8181 HTTPS, 4848 administration | payara, payara server | openjdk
spring-boot | Spring Boot | Broadcom | application-server | spring-boot | 8080 HTTP | spring, springboot | openjdk
coldfusion | ColdFusion | Adobe | application-server | coldfusion | 8500 HTTP | adobe coldfusion | openjdk
sap-netweaver | SAP NetWeaver | SAP | application-server | disp+work, gwrd, msg_server, icman, sapstartsrv | 3200 dispatcher, 3300 gateway, 3600 message server, 8000 HTTP, 50013 control | sap, sap ecc, sap s/4hana, s/4hana, netweaver, sap abap | sap-hana
sharepoint | SharePoint Server | Microsoft | application-server | owstimer | 80 HTTP, 443 HTTPS | sharepoint | iis, mssql
wordpress | WordPress | WordPress Foundation | application-server | wordpress | 80 HTTP, 443 HTTPS | wordpress cms | php-fpm, mysql
odoo | Odoo | Odoo | application-server | odoo, odoo-bin | 8069 HTTP, 8072 notifications | openerp | postgresql, python
jira | Jira | Atlassian | application-server | jira | 8080 HTTP | atlassian jira | openjdk, postgresql
confluence | Confluence | Atlassian | application-server | confluence | 8090 HTTP, 8091 editing | atlassian confluence | openjdk, postgresql
keycloak | Keycloak | Cloud Native Computing Foundation | application-server | keycloak | 8080 HTTP, 8443 HTTPS | red hat sso | openjdk, postgresql
spark | Apache Spark | Apache Software Foundation | application-server | spark | 7077 master, 4040 web interface | spark | openjdk
celery | Celery | Celery | scheduler | celery | | | python, redis
airflow | Apache Airflow | Apache Software Foundation | scheduler | airflow | 8080 HTTP, 8793 logs | airflow | python, postgresql
control-m | Control-M | BMC | scheduler | p_ctmag, p_ctmtr, p_ctmat | 7005 server, 7006 agent | control m, bmc control-m |
quartz | Quartz | Terracotta | scheduler | quartz | | quartz scheduler | openjdk
postgresql | PostgreSQL | PostgreSQL Global Development Group | database | postgres, postmaster, postgresql | 5432 | postgres, pg, psql, timescaledb, postgre | pgbouncer
pgbouncer | PgBouncer | PgBouncer | database | pgbouncer | 6432 | | postgresql
patroni | Patroni | Zalando | database | patroni | 8008 REST | | postgresql, etcd
mysql | MySQL | Oracle | database | mysqld, mysqld_safe | 3306, 33060 X protocol | percona, percona server, my sql |
mariadb | MariaDB | MariaDB Foundation | database | mariadbd | 3306, 4567 Galera replication, 4568 Galera state, 4444 Galera snapshots | maria db, galera |
proxysql | ProxySQL | ProxySQL | database | proxysql | 6033, 6032 administration | | mysql
mssql | SQL Server | Microsoft | database | sqlservr, sqlagent, sqlbrowser | 1433, 1434/udp browser, 5022 availability groups | mssql, ms sql, microsoft sql server, sql server, sqlserver |
oracle-database | Oracle Database | Oracle | database | tnslsnr, oracle, ora_pmon, ora_dbw0 | 1521 listener, 1526 listener, 2483 listener, 2484 TLS listener, 5500 Enterprise Manager Express | oracle, oracle db, oracle rac, oracledb |
db2 | Db2 | IBM | database | db2sysc, db2fmcd | 50000 | ibm db2, db2 luw |
sap-hana | SAP HANA | SAP | database | hdbindexserver, hdbnameserver, hdbdaemon, hdbxsengine | 30015 SQL, 30013 system database | hana, hana db |
sap-ase | SAP ASE | SAP | database | dataserver, backupserver | 5000 | sybase, sybase ase, adaptive server enterprise |
informix | Informix | IBM | database | oninit | 9088 | ibm informix |
firebird | Firebird | Firebird Foundation | database | firebird, fbserver | 3050 | firebird sql |
vertica | Vertica | OpenText | database | vertica | 5433 | hp vertica |
mongodb | MongoDB | MongoDB | database | mongod, mongos | 27017, 27018 shard, 27019 configuration server | mongo, mongo db |
cassandra | Apache Cassandra | Apache Software Foundation | database | cassandra, cassandradaemon | 9042 CQL, 7000 cluster, 7001 cluster TLS, 7199 JMX, 9160 Thrift | cassandra | openjdk
scylladb | ScyllaDB | ScyllaDB | database | scylla | 9042 CQL, 7000 cluster, 10000 REST | scylla |
couchdb | Apache CouchDB | Apache Software Foundation | database | couchdb, beam.smp | 5984 | couch db, couchdb |
couchbase | Couchbase Server | Couchbase | database | cbq-engine, goxdcr, beam.smp, memcached | 8091 administration, 8093 query, 11210 data | couchbase |
neo4j | Neo4j | Neo4j | database | neo4j | 7687 Bolt, 7474 HTTP | neo 4j | openjdk
influxdb | InfluxDB | InfluxData | database | influxd, influxdb3 | 8086 HTTP, 8088 backup | influx, influx db |
clickhouse | ClickHouse | ClickHouse | database | clickhouse-server, clickhouse, clickhouse-serv | 8123 HTTP, 9000 native, 9440 native TLS, 9009 replication | click house |
cockroachdb | CockroachDB | Cockroach Labs | database | cockroach | 26257 SQL, 8080 console | cockroach |
tidb | TiDB | PingCAP | database | tidb-server | 4000 SQL, 10080 status | |
yugabytedb | YugabyteDB | Yugabyte | database | yb-tserver, yb-master | 5433 YSQL, 9042 YCQL, 7100 master | yugabyte |
hbase | Apache HBase | Apache Software Foundation | database | hmaster, hregionserver | 16000 master, 16020 region server, 16010 web interface | hbase | openjdk, hdfs, zookeeper
redis | Redis | Redis | cache | redis-server, redis-sentinel | 6379, 16379 cluster bus, 26379 Sentinel | redis sentinel, redis cluster |
valkey | Valkey | Linux Foundation | cache | valkey-server, valkey-sentinel | 6379, 16379 cluster bus, 26379 Sentinel | |
memcached | Memcached | Memcached | cache | memcached | 11211 | memcache |
hazelcast | Hazelcast | Hazelcast | cache | hazelcast | 5701 | hazelcast imdg | openjdk
ignite | Apache Ignite | Apache Software Foundation | cache | ignite | 47500 discovery, 47100 cluster, 10800 thin clients | ignite, gridgain | openjdk
elasticsearch | Elasticsearch | Elastic | search | elasticsearch | 9200 HTTP, 9300 cluster | elastic search, elastic stack, elk | openjdk, kibana
opensearch | OpenSearch | OpenSearch Software Foundation | search | opensearch | 9200 HTTP, 9300 cluster, 9600 performance analyzer | open search | openjdk
solr | Apache Solr | Apache Software Foundation | search | solr | 8983 HTTP | solr, solrcloud | openjdk, zookeeper
kafka | Apache Kafka | Apache Software Foundation | message-broker | kafka | 9092 clients, 9093 TLS or controllers | kafka, confluent platform, kafka broker | openjdk, zookeeper
kafka-connect | Kafka Connect | Apache Software Foundation | message-broker | connect-distributed | 8083 REST | | openjdk, kafka
schema-registry | Schema Registry | Confluent | message-broker | schema-registry | 8081 REST | confluent schema registry | openjdk, kafka
redpanda | Redpanda | Redpanda Data | message-broker | redpanda | 9092 clients, 9644 administration, 33145 cluster | red panda |
rabbitmq | RabbitMQ | Broadcom | message-broker | rabbitmq-server, rabbitmq, beam.smp | 5672 AMQP, 5671 AMQP over TLS, 15672 management, 25672 cluster | rabbit mq, rabbit | epmd
epmd | Erlang port mapper | Ericsson | agent | epmd | 4369 | |
activemq | Apache ActiveMQ | Apache Software Foundation | message-broker | activemq, artemis | 61616 OpenWire, 8161 console | activemq, artemis, amq broker | openjdk
ibm-mq | IBM MQ | IBM | message-broker | amqzxma0, amqrmppa, runmqlsr, amqzlaa0 | 1414, 9443 console | websphere mq, mqseries, ibmmq |
nats | NATS | Synadia | message-broker | nats-server | 4222 clients, 6222 cluster, 8222 monitoring | nats jetstream |
mosquitto | Eclipse Mosquitto | Eclipse Foundation | message-broker | mosquitto | 1883 MQTT, 8883 MQTT over TLS | mosquitto, mqtt broker |
emqx | EMQX | EMQ Technologies | message-broker | emqx, beam.smp | 1883 MQTT, 8883 MQTT over TLS, 18083 dashboard | |
pulsar | Apache Pulsar | Apache Software Foundation | message-broker | pulsar | 6650 binary, 6651 binary over TLS, 8080 HTTP | pulsar | openjdk, zookeeper
tibco-ems | TIBCO EMS | TIBCO | message-broker | tibemsd | 7222 | tibco, tibco enterprise message service |
nfs | NFS server | Linux Foundation | file-storage | nfsd, rpc.mountd, rpc.nfsd | 2049, 111 port mapper | nfs, network file system |
samba | Samba | Samba Team | file-storage | smbd, nmbd | 445 SMB, 139 NetBIOS, 137/udp NetBIOS names | smb, cifs, file share, windows file server |
ceph | Ceph | Ceph Foundation | file-storage | ceph-mon, ceph-osd, ceph-mgr, ceph-mds, radosgw | 6789 monitor, 3300 monitor, 7480 gateway | ceph storage |
minio | MinIO | MinIO | file-storage | minio | 9000 S3, 9001 console | min io |
glusterfs | GlusterFS | Red Hat | file-storage | glusterd, glusterfsd | 24007 | gluster |
iscsi-target | iSCSI target | Linux Foundation | file-storage | tgtd | 3260 | iscsi |
hdfs | Hadoop HDFS | Apache Software Foundation | file-storage | namenode, datanode | 8020 name node, 9870 name node web, 9866 data node | hadoop, hdfs | openjdk
ftp-server | FTP server | vsftpd, ProFTPD and others | file-storage | vsftpd, proftpd, pure-ftpd | 21 | ftp, ftps |
active-directory | Active Directory | Microsoft | directory | lsass, ntds, dfsrs | 389 LDAP, 636 LDAPS, 88 Kerberos, 464 password changes, 3268 global catalogue, 3269 global catalogue TLS | domain controller, ms ad, ad ds | windows-dns
openldap | OpenLDAP | OpenLDAP Foundation | directory | slapd | 389 LDAP, 636 LDAPS | ldap, open ldap |
freeipa | FreeIPA | Red Hat | directory | ns-slapd | 389 LDAP, 636 LDAPS, 443 HTTPS | ipa server, 389 directory server | kerberos, bind
kerberos | MIT Kerberos | MIT | directory | krb5kdc, kadmind | 88, 749 administration | kerberos, kdc |
freeradius | FreeRADIUS | FreeRADIUS | directory | radiusd, freeradius | 1812/udp authentication, 1813/udp accounting | radius |
bind | BIND | Internet Systems Consortium | dns | named | 53, 53/udp, 953 control | bind9, isc bind |
unbound | Unbound | NLnet Labs | dns | unbound | 53, 53/udp | |
coredns | CoreDNS | Cloud Native Computing Foundation | dns | coredns | 53, 53/udp, 9153 metrics | core dns |
powerdns | PowerDNS | PowerDNS | dns | pdns_server, pdns_recursor | 53, 53/udp, 8081 API | power dns |
windows-dns | Windows DNS Server | Microsoft | dns | dns | 53, 53/udp | microsoft dns |
dnsmasq | dnsmasq | Simon Kelley | dns | dnsmasq | 53, 53/udp, 67/udp DHCP | |
ntp | NTP | Network Time Foundation | time | ntpd, chronyd | 123/udp | ntp, chrony, chronyd |
dhcpd | DHCP server | Internet Systems Consortium | dhcp | dhcpd, kea-dhcp4 | 67/udp | dhcp, kea |
postfix | Postfix | Postfix | mail | postfix, qmgr, pickup | 25 SMTP, 587 submission, 465 submission TLS | smtp relay |
exim | Exim | University of Cambridge | mail | exim, exim4 | 25 SMTP, 587 submission | |
sendmail | Sendmail | Proofpoint | mail | sendmail | 25 SMTP, 587 submission | |
dovecot | Dovecot | Open-Xchange | mail | dovecot | 143 IMAP, 993 IMAPS, 110 POP3, 995 POP3S | imap |
exchange | Exchange Server | Microsoft | mail | microsoft.exchange.store.worker, msexchangetransport, edgetransport | 25 SMTP, 587 submission, 443 HTTPS | exchange, ms exchange, microsoft exchange | iis, active-directory
squid | Squid | Squid Software Foundation | proxy | squid | 3128 HTTP proxy | squid proxy |
prometheus | Prometheus | Cloud Native Computing Foundation | monitoring | prometheus | 9090 HTTP | prom | alertmanager, grafana
alertmanager | Alertmanager | Cloud Native Computing Foundation | monitoring | alertmanager | 9093 HTTP, 9094 cluster | prometheus alertmanager |
node-exporter | node_exporter | Cloud Native Computing Foundation | agent | node_exporter, windows_exporter | 9100 metrics, 9182 metrics | node exporter, windows exporter |
grafana | Grafana | Grafana Labs | monitoring | grafana, grafana-server | 3000 HTTP | |
victoriametrics | VictoriaMetrics | VictoriaMetrics | monitoring | victoria-metrics, vmstorage, vmselect, vminsert | 8428 HTTP | victoria metrics |
zabbix-server | Zabbix server | Zabbix | monitoring | zabbix_server, zabbix_proxy | 10051 trapper | zabbix |
zabbix-agent | Zabbix agent | Zabbix | agent | zabbix_agentd, zabbix_agent2 | 10050 | |
nagios | Nagios | Nagios Enterprises | monitoring | nagios | | nagios core, nagios xi | nrpe
nrpe | NRPE | Nagios Enterprises | agent | nrpe | 5666 | |
icinga | Icinga | Icinga | monitoring | icinga2 | 5665 | icinga2, icinga 2 |
jaeger | Jaeger | Cloud Native Computing Foundation | monitoring | jaeger, jaeger-all-in-one, jaeger-query, jaeger-collector | 16686 HTTP, 14268 spans | |
otel-collector | OpenTelemetry Collector | Cloud Native Computing Foundation | agent | otelcol, otelcol-contrib | 4317 OTLP gRPC, 4318 OTLP HTTP | opentelemetry, open telemetry |
snmp-agent | SNMP agent | Net-SNMP | agent | snmpd | 161/udp | snmp, net-snmp |
datadog-agent | Datadog Agent | Datadog | agent | datadog-agent, trace-agent, process-agent | 8125/udp metrics, 8126 traces | datadog |
dynatrace-oneagent | OneAgent | Dynatrace | agent | oneagentos, oneagentwatchdog | | dynatrace |
telegraf | Telegraf | InfluxData | agent | telegraf | | |
splunk | Splunk Enterprise | Splunk | logging | splunkd | 8000 HTTP, 8089 management, 9997 forwarders, 8088 event collector | splunk |
logstash | Logstash | Elastic | logging | logstash | 5044 Beats, 9600 API | | openjdk, elasticsearch
kibana | Kibana | Elastic | logging | kibana | 5601 HTTP | | nodejs, elasticsearch
graylog | Graylog | Graylog | logging | graylog, graylog-server | 9000 HTTP, 12201 GELF | | openjdk, mongodb, opensearch
loki | Grafana Loki | Grafana Labs | logging | loki | 3100 HTTP | loki | grafana
fluentd | Fluentd | Cloud Native Computing Foundation | agent | fluentd, td-agent, fluent-bit | 24224 forward | fluent bit |
filebeat | Beats | Elastic | agent | filebeat, metricbeat | | elastic beats, metricbeat | logstash
rsyslog | rsyslog | Adiscon | agent | rsyslogd, syslog-ng | 514/udp syslog | syslog |
veeam | Veeam Backup & Replication | Veeam | backup | veeam.backup.service, veeamtransportsvc, veeamdeploysvc | 9392 backup server, 6160 installer, 6162 data mover | veeam |
netbackup | NetBackup | Cohesity | backup | bprd, bpdbm, nbpem, nbemm | 1556 exchange, 13724 network | veritas netbackup, net backup |
commvault | Commvault | Commvault | backup | cvd, cvlaunchd | 8400 communications, 8403 tunnel | comm vault |
bacula | Bacula | Bacula Systems | backup | bacula-dir, bacula-sd | 9101 director, 9103 storage | | bacula-client
bacula-client | Bacula client | Bacula Systems | agent | bacula-fd | 9102 | bacula file daemon |
networker | NetWorker | Dell | backup | nsrd, nsrmmd | 7938 port mapper, 7937 | emc networker, dell networker |
spectrum-protect | Storage Protect | IBM | backup | dsmserv | 1500 | tsm, tivoli storage manager, spectrum protect |
esxi | ESXi | Broadcom | virtualisation | hostd, vpxa, vmx | 443 HTTPS, 902 authentication | vmware esxi, esx, vmware |
vcenter | vCenter Server | Broadcom | virtualisation | vpxd | 443 HTTPS, 5480 administration | vmware vcenter | esxi
hyper-v | Hyper-V | Microsoft | virtualisation | vmms, vmwp | 2179 console | hyperv, hyper v |
kvm | KVM and libvirt | Red Hat | virtualisation | libvirtd, qemu-kvm, qemu-system-x86_64 | 16509 libvirt, 16514 libvirt TLS | libvirt, qemu |
proxmox | Proxmox VE | Proxmox | virtualisation | pveproxy, pvedaemon | 8006 HTTPS | proxmox ve |
docker | Docker Engine | Docker | agent | dockerd, containerd, docker-proxy | 2375 API, 2376 API over TLS | docker |
kubernetes | Kubernetes control plane | Cloud Native Computing Foundation | orchestration | kube-apiserver, kube-controller-manager, kube-scheduler | 6443 API, 10257 controllers, 10259 scheduler | kubernetes, k8s, openshift | etcd, kubelet
kubelet | Kubernetes node | Cloud Native Computing Foundation | agent | kubelet, kube-proxy | 10250 kubelet, 10256 proxy health | kubernetes node |
nomad | Nomad | HashiCorp | orchestration | nomad | 4646 HTTP, 4647 RPC, 4648 cluster | hashicorp nomad | consul
etcd | etcd | Cloud Native Computing Foundation | coordination | etcd | 2379 clients, 2380 cluster | |
zookeeper | Apache ZooKeeper | Apache Software Foundation | coordination | zookeeper, quorumpeermain | 2181 clients, 2888 cluster, 3888 elections | zookeeper, zk | openjdk
consul | Consul | HashiCorp | coordination | consul | 8500 HTTP, 8300 servers, 8301 cluster, 8600 DNS | hashicorp consul |
eureka | Eureka | Netflix | coordination | eureka | 8761 HTTP | netflix eureka | openjdk
vault | Vault | HashiCorp | secrets | vault | 8200 HTTPS, 8201 cluster | hashicorp vault | consul
jenkins | Jenkins | Jenkins | delivery | jenkins | 8080 HTTP, 50000 agents | | openjdk
gitlab | GitLab | GitLab | delivery | gitlab-workhorse, gitaly, sidekiq | 80 HTTP, 443 HTTPS, 8075 Gitaly | | postgresql, redis
nexus | Nexus Repository | Sonatype | delivery | nexus | 8081 HTTP | sonatype nexus | openjdk
artifactory | Artifactory | JFrog | delivery | artifactory | 8081 HTTP, 8082 HTTP | jfrog artifactory | openjdk, postgresql
sonarqube | SonarQube | Sonar | delivery | sonarqube | 9000 HTTP | sonar | openjdk, postgresql
puppet-server | Puppet Server | Perforce | delivery | puppetserver, puppetdb | 8140 HTTPS | puppet | openjdk
salt-master | Salt master | Broadcom | delivery | salt-master | 4505 publisher, 4506 requests | saltstack, salt stack |
openssh | OpenSSH | OpenBSD | agent | sshd | 22 | ssh, sshd |
rdp | Remote Desktop | Microsoft | agent | termservice | 3389 | rdp, remote desktop services |
winrm | Windows Remote Management | Microsoft | agent | winrm | 5985 HTTP, 5986 HTTPS | |
openvpn | OpenVPN | OpenVPN | remote-access | openvpn | 1194/udp | open vpn |
wireguard | WireGuard | WireGuard | remote-access | wg-quick | 51820/udp | wire guard |
`;
