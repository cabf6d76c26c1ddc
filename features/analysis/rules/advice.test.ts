import { expect, test } from '@jest/globals';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import { problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { adviceFor, type CausalPosition } from './actions.ts';

const advice = (title: string, position: CausalPosition = 'alone'): string =>
  adviceFor({ title, complaint: problemKindOf({ title }), kind: complaintKindOf({ title }) }, position);

/* Titles as monitors write them, and what a person on call would do first. */
test.each([
  ['Certificate expired', /renew or replace the certificate.*chain/i],
  ['SSL certificate for shop.example.com expires in 7 days', /renew or replace the certificate/i],
  ['x509: certificate signed by unknown authority', /certificate.*chain/i],
  ['License of ESXi host expired', /license/i],
  ['API token of backup user expired', /rotate the credential/i],
  ['Nightly backup of db-1 failed', /job log.*target.*rerun/i],
  ['NTP offset above 500 ms', /time service/i],
  ['Temperature of CPU 1 above threshold', /cooling/i],
  ['Fan 3 failure', /cooling/i],
  ['RAID array degraded', /replace the failed disk/i],
  ['Uncorrectable ECC memory error in DIMM A2', /memory module/i],
  ['Disk usage above 80 % on /var', /what is growing/i],
  ['Filesystem /data is low on space', /what is growing/i],
  ['Disk latency above 50 ms', /most I\/O/i],
  ['Memory usage 92 %', /process that uses the memory/i],
  ['High CPU load on app-7', /using the CPU/i],
  ['RabbitMQ queue orders has 12000 messages', /consumer lag/i],
  ['Kafka consumer lag above 100000', /consumer lag/i],
  ['Replication lag 340 s on db-2', /replica.*primary/i],
  ['Deadlock detected in database orders', /blocking session/i],
  ['Too many open files', /fix leaks.*limit/i],
  ['Connection pool exhausted', /fix leaks.*limit/i],
  ['Multiple failed logins for user admin', /which user is denied/i],
  ['Access denied for user app@10.0.0.4', /which user is denied/i],
  ['Cron job invoice-export failed', /log of the last run/i],
  ['Pod checkout-6f9 is in CrashLoopBackOff', /logs of the last start/i],
  ['Container restarted 14 times', /logs of the last start/i],
  ['HTTP 503 on /checkout', /its dependencies/i],
  ['5xx rate above 2 %', /its dependencies/i],
  ['Packet loss 12 % to gateway', /both ends of the link/i],
  ['CRC errors on interface Gi1/0/4', /both ends of the link/i],
  ['Zabbix agent is not reporting', /agent is running/i],
  ['No data from sensor for 10 minutes', /agent is running/i],
  ['Malware detected on pc-17', /isolate/i],
  ['Interface Ethernet1/14 err-disabled: CRC errors', /optics.*re-enable the port only/i],
  ['Controller B failed, failover to controller A', /other controller.*vendor/i],
  ['ORA-29740: instance evicted from cluster', /interconnect/i],
  ['Link down', /cable, port/i],
  ['PostgreSQL unreachable', /process, storage and locks/i],
  ['Disk full', /free or add disk space/i],
  ['Host web-3 is unreachable', /power, console and network/i],
  ['Response time of checkout above 4 s', /^No advice for this problem/],
  ['Requests per second doubled', /^No advice for this problem/],
  ['Checkout is strange', /^No advice for this problem/],
  ['Login page answers with an error', /^No advice for this problem/],
  ['Container registry is slow', /^No advice for this problem/],
  ['Fan-out service is slow', /^No advice for this problem/],
  ['Smart meter gateway answers with errors', /^No advice for this problem/],
  ['Image of the container was scanned', /^No advice for this problem/],
])('%s', (title, expected) => expect(advice(title)).toMatch(expected));

test.each(['Certificate expired', 'Nightly backup failed', 'RAID array degraded', 'License expired'])(
  'below a cause, %s is still to be repaired where it is',
  (title) => expect(advice(title, 'below')).toBe(advice(title)),
);

test.each([
  ['HTTP 503 on /checkout', /^Errors should stop/],
  ['Kafka consumer lag above 100000', /^Latency should recover/],
  ['PostgreSQL unreachable', /^Don't restart it until the root cause is fixed/],
])('below a cause, %s ends with it', (title, expected) => expect(advice(title, 'below')).toMatch(expected));
