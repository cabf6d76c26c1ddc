import { describe, expect, test } from '@jest/globals';
import { isChangeTitle, problemKindOf } from './problem-kind.ts';

/** Titles as nine monitors write them. */
const TITLES: readonly (readonly [string, string, string | null])[] = [
  // Nagios, Icinga
  ['web01: Host DOWN', 'down', 'host_down'],
  ['PING: PING CRITICAL - Packet loss = 100%', 'down', 'host_down'],
  ['Disk /var: DISK CRITICAL - free space: / 312 MB (1%): volume 99% full', 'down', 'disk_full'],
  ['HTTP: HTTP CRITICAL: HTTP/1.1 503 Service Unavailable', 'down', null],
  ['Load: WARNING - load average: 12.40, 9.02, 5.11', 'latency', null],
  // Zabbix
  ['Unavailable by ICMP ping', 'down', 'host_down'],
  ['Zabbix agent is not available (for 3m)', 'down', 'host_down'],
  ['Interface eth0(): Link down', 'down', 'link_down'],
  ['/: Disk space is critically low (used > 90%)', 'down', 'disk_full'],
  ['/: Disk space is low (used > 80%)', 'unknown', null],
  ['Running out of free inodes (free < 20%)', 'unknown', null],
  ['/etc/passwd has been changed', 'unknown', null],
  ['MySQL: Service is down', 'down', 'database_down'],
  ['Lack of available memory (< 20M of 4G)', 'down', 'out_of_memory'],
  ['High CPU utilization (over 90% for 5m)', 'latency', null],
  ['db-1 has been restarted (uptime < 10m)', 'unknown', null],
  // Prometheus Alertmanager
  ['NodeDown', 'down', 'host_down'],
  ['KubeNodeNotReady', 'down', 'host_down'],
  ['KubePodCrashLooping', 'down', null],
  ['PostgreSQL unreachable', 'down', 'database_down'],
  ['High request latency on checkout (p99 > 2s)', 'latency', null],
  ['HighErrorRate: 5xx responses over 5 %', 'errors', null],
  ['CoreDNS lookup failures', 'down', 'dns'],
  // CloudWatch
  ['rds-orders-FreeStorageSpace', 'down', 'disk_full'],
  ['StatusCheckFailed i-0abc', 'down', 'host_down'],
  ['HTTPCode_Target_5XX_Count above 10', 'errors', null],
  // Azure, Google Cloud
  ['VM availability', 'down', 'host_down'],
  ['Heartbeat missing for vm-7', 'down', 'host_down'],
  ['Availability test failed', 'errors', null],
  ['Uptime check on shop.example.com is failing', 'down', 'host_down'],
  // Datadog
  ['[Triggered] Host web-3 is down', 'down', 'host_down'],
  ['[Triggered on {host:db-2}] Replication lag is high', 'latency', null],
  // Grafana
  ['DatasourceError', 'errors', null],
  ['checkout container OOMKilled', 'down', 'out_of_memory'],
  ['Request rate dropped to a spike', 'errors', null],
  ['Unusual traffic on edge-1', 'traffic', null],
  // PagerDuty, CloudEvents, OpenTelemetry
  ['DISK at 99% on machine prod-datapipe03.example.com', 'down', 'disk_full'],
  ['UPS on battery in rack 12', 'down', 'power'],
  ['Power supply 2 failed on sw-core-1', 'down', 'power'],
  ['BGP session to 10.0.0.1 down', 'down', 'link_down'],
  ['Deployed checkout 4.2.1', 'unknown', null],
  ['Configuration of lb-1 changed', 'unknown', null],
  ['could not resolve host: payments.internal', 'errors', null],
  ['DNS lookup failed for payments.internal', 'errors', null],
  ['Name resolution failed', 'errors', null],
  ['DNS server ns-1 is down', 'down', 'dns'],
  ['Availability of checkout below 99 %', 'errors', null],
  ['Success rate of /login at 91%, response time fine', 'errors', null],
  ['Requests failed after timeout', 'errors', null],
  ['java.lang.OutOfMemoryError: Java heap space', 'down', 'out_of_memory'],
  ['connection refused', 'down', null],
  ['nothing in particular', 'unknown', null],
];

/** Words of a known cause next to each other by chance or in a healthy state, and actual causes with similar words. */
const LOOKALIKES: readonly (readonly [string, string | null])[] = [
  ['Free disk space 99%', null],
  ['Disk space 95 % free', null],
  ['Disk space available: 97%', null],
  ['Free storage space 99%', null],
  ['DISK OK - free space: / 18.2GB (61% inode=98%)', null],
  ['DISK CRITICAL - free space: / 1.2GB (4% inode=98%)', 'disk_full'],
  ['Free disk space is low: 97% used', 'disk_full'],
  ['Disk used 91%, free 9%', 'disk_full'],
  ['/var: file system at 100%', 'disk_full'],
  ['Payment gateway charge failed', null],
  ['VPN login failed for bob', null],
  ['Failed VPN login', null],
  ['Switch to standby failed', null],
  ['Port 22 scan failed', null],
  ['Switch sw-1 failed to apply its configuration', null],
  ['Interface eth0: 5 packets lost', null],
  ['Payment gateway down', null],
  ['Switch sw-core-1 failed', 'link_down'],
  ['Router r1 has failed', 'link_down'],
  ['Link failed 3 times', 'link_down'],
  ['Link to Berlin failed', 'link_down'],
  ['Interface eth0 lost carrier', 'link_down'],
  ['VPN connection lost', 'link_down'],
  ['Lost link on eth0', 'link_down'],
  ['Gateway 10.0.0.1 unreachable', 'link_down'],
  ['VM snapshot missing', null],
  ['Agent version missing', null],
  ['Missing agent version', null],
  ['Instance refresh missing tag', null],
  ['Instance i-0abc missing tag Name', null],
  ['Node n1 missing from the cluster', 'host_down'],
  ['Host web-01 is missing', 'host_down'],
  ['Agent missing', 'host_down'],
  ['DNS query errors 0', null],
  ['DNS error rate is 0.0%', null],
  ['No DNS errors', null],
  ['DNS query errors 10', 'dns'],
  ['DNS error rate 0.5%', 'dns'],
];

describe('complaintOf', () => {
  test.each(LOOKALIKES)('of the words in %s the cause is %s', (title, known) => {
    expect(problemKindOf({ title }).known).toBe(known);
  });

  test.each(TITLES)('%s', (title, kind, known) => {
    expect(problemKindOf({ title })).toEqual({ kind, known });
  });

  test.each([
    ['a process on a host is not the host', 'nginx is down on host web-1', null],
    ['what fails at a database is not the database', 'backup of database orders failed', null],
    ['parts of words do not count', 'download of update hosted', null],
  ])('%s', (_, title, known) => {
    expect(problemKindOf({ title }).known).toBe(known);
  });

  test('the name of the host and "is DOWN" is the host itself', () => {
    expect(problemKindOf({ title: 'web-01.example.com is DOWN', hostname: 'web-01.example.com' }).known).toBe(
      'host_down',
    );
    expect(problemKindOf({ title: 'nginx is DOWN', hostname: 'web-01.example.com' }).known).toBeNull();
  });

  test.each([{ category: 'Deployment' }, { tags: ['team:a', 'type:change'] }])('%j marks a change', (mark) => {
    expect(problemKindOf({ title: 'checkout 4.2.1', ...mark }).known).toBe('change');
  });
});

describe('isChangeTitle', () => {
  test.each([
    'Deployed shop 1.2.3 to prod',
    'Deployed checkout 4.2.1',
    'Rollout of shop finished',
    'Rollout of shop 4.2 to production completed',
    'shop 4.2 rolled out',
    'Rollback of shop to 1.2.2 finished',
    'Release 4.2 deployed',
    'Release 2026.11 live',
    'Deployment of pricing 4.17.0 started',
    'Deployment of orders 4.1 finished',
    'Deployment shop/web succeeded',
    'Deploying shop 1.2.3',
    'Configuration of lb-1 changed',
    'Config pushed to sw-core-1',
    'config of nginx reloaded',
    'nginx has been restarted by ansible',
    'esx-11 has been upgraded to 8.0.3',
    'PostgreSQL upgraded to 17.2',
    'Firmware upgraded to 9.1 on sw-2',
    'shop: deployed 5 pods',
  ])('%s tells of a change', (title) => {
    expect(isChangeTitle(title)).toBe(true);
  });

  test.each([
    // Rules of the Kubernetes mixin, and other titles about rollouts.
    'DaemonSet rollout is stuck.',
    'KubeDaemonSetRolloutStuck',
    'Rollout of deployment is not progressing.',
    'KubeDeploymentRolloutStuck',
    'Deployment generation mismatch due to possible roll-back',
    'StatefulSet update has not been rolled out.',
    'KubeStatefulSetUpdateNotRolledOut',
    'DaemonSet shop/log has not finished or progressed for at least 15m: rollout stuck',
    'Deployment shop/web has not matched the expected number of replicas',
    'Rollback failed',
    'Rollback of shop to 1.2.2 failed',
    'Rollout of shop aborted: progress deadline exceeded',
    'Canary rollout paused: too many errors',
    'Upgrade stuck',
    'esx-11 has been upgraded to 8.0.3, reboot pending',
    'Deployment of shop failed',
    'Deployed shop 1.2.3: health check failed',
    'Error while deploying shop',
    'Unable to roll back: rollback timed out',
    'Cannot apply config: configuration rejected, old one applied',
    'Configuration changed without approval',
    'Configuration of lb-1 applied with errors',
    'Config reload failed, configuration not applied',
    'Prometheus has not reloaded its configuration: config reloaded with error',
    // Zabbix.
    'web-02 has been restarted (uptime < 10m)',
    'Linux: web-02 has been restarted (uptime < 10m)',
    'Interface type has been changed',
    'nginx',
    'release',
    'Deployment',
  ])('%s tells of none', (title) => {
    expect(isChangeTitle(title)).toBe(false);
  });
});
