import { expect, test } from '@jest/globals';
import { complaintOf } from '#domain/event/identity/complaint.ts';
import { adviceFor, type Position } from './advice.ts';

const advice = (title: string, position: Position = 'alone'): string =>
  adviceFor({ title, complaint: complaintOf({ title }) }, position);

/* Titles as monitors write them, and what a person on call would do first. */
test.each([
  ['Certificate expired', /renew or replace the certificate.*chain/i],
  ['SSL certificate for shop.example.com expires in 7 days', /renew or replace the certificate/i],
  ['x509: certificate signed by unknown authority', /certificate.*chain/i],
  ['License of ESXi host expired', /licence/i],
  ['API token of backup user expired', /rotate the credential/i],
  ['Nightly backup of db-1 failed', /log of the job.*target.*again/i],
  ['NTP offset above 500 ms', /time service/i],
  ['Temperature of CPU 1 above threshold', /cooling/i],
  ['Fan 3 failure', /cooling/i],
  ['RAID array degraded', /replace the failed disk/i],
  ['Uncorrectable ECC memory error in DIMM A2', /memory module/i],
  ['Disk usage above 80 % on /var', /what grows/i],
  ['Filesystem /data is low on space', /what grows/i],
  ['Disk latency above 50 ms', /reads and writes most/i],
  ['Memory usage 92 %', /which process grew/i],
  ['High CPU load on app-7', /takes the time/i],
  ['RabbitMQ queue orders has 12000 messages', /consumers run and keep up/i],
  ['Kafka consumer lag above 100000', /consumers run and keep up/i],
  ['Replication lag 340 s on db-2', /replica.*primary/i],
  ['Deadlock detected in database orders', /blocking session/i],
  ['Too many open files', /closes? what leaks|what leaks.*limit/i],
  ['Connection pool exhausted', /what leaks.*limit/i],
  ['Multiple failed logins for user admin', /who is refused/i],
  ['Access denied for user app@10.0.0.4', /who is refused/i],
  ['Cron job invoice-export failed', /log of its last run/i],
  ['Pod checkout-6f9 is in CrashLoopBackOff', /log of its last start/i],
  ['Container restarted 14 times', /log of its last start/i],
  ['HTTP 503 on /checkout', /what it calls/i],
  ['5xx rate above 2 %', /what it calls/i],
  ['Packet loss 12 % to gateway', /both ends of the link/i],
  ['CRC errors on interface Gi1/0/4', /both ends of the link/i],
  ['Zabbix agent is not reporting', /agent runs/i],
  ['No data from sensor for 10 minutes', /agent runs/i],
  ['Malware detected on pc-17', /isolate/i],
  ['Link down', /cable, port/i],
  ['PostgreSQL unreachable', /process, storage and locks/i],
  ['Disk full', /free or add disk space/i],
  ['Host web-3 is unreachable', /power, console and network/i],
  ['Response time of checkout above 4 s', /slow queries/i],
  ['Requests per second doubled', /usual traffic/i],
  ['Checkout is strange', /what the monitor measured/i],
  ['Login page answers with an error', /^Read the newest errors/],
  ['Container registry is slow', /slow queries/i],
  ['Fan-out service is slow', /slow queries/i],
  ['Smart meter gateway answers with errors', /^Read the newest errors/],
  ['Image of the container was scanned', /what the monitor measured/i],
])('%s', (title, expected) => expect(advice(title)).toMatch(expected));

test.each(['Certificate expired', 'Nightly backup failed', 'RAID array degraded', 'License expired'])(
  'below a cause, %s is still to be repaired where it is',
  (title) => expect(advice(title, 'below')).toBe(advice(title)),
);

test.each([
  ['HTTP 503 on /checkout', /^Expect the errors to end with the cause/],
  ['Kafka consumer lag above 100000', /^Expect it to be fast again/],
  ['PostgreSQL unreachable', /^Do not restart it before the cause is gone/],
])('below a cause, %s ends with it', (title, expected) => expect(advice(title, 'below')).toMatch(expected));
