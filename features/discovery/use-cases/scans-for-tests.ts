import { placeRecord } from '#application/tasks/places.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { Spool } from '#features/discovery/http/spool.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { TENANT } from '#test/setup/record-world.ts';
import { discoveryTasks } from './discovery-tasks.ts';
import { saveScan } from './records.ts';

/** Hosts as a scanner gives them in, waiting to be worked on. */
export async function giveIn(ports: Ports, hosts: readonly unknown[], parts: Partial<Scan> = {}): Promise<string> {
  const now = ports.clock.now();
  const id = ports.ids.ulid();
  const spool = new Spool(ports, { tenant: TENANT, scan: id, receivedAt: now });
  const text = JSON.stringify({ data: { discovered_hosts: hosts } });
  const spooled = await spool.read(
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  const scan: Scan = {
    id,
    scanType: 'network',
    scannerId: 'nmap',
    seenAt: now,
    status: 'running',
    submittedAt: now,
    completedAt: null,
    hostsTotal: spooled.hosts,
    hostsDone: 0,
    counts: NO_COUNTS,
    chunks: spooled.chunks,
    actor: { id: 'u', username: 'ann', name: 'Ann' },
    address: '192.0.2.1',
    department: null,
    error: null,
    ...parts,
  };
  await saveScan(ports, TENANT, scan, [placeRecord(discoveryTasks, { tenant: TENANT, id, at: now })]);
  return id;
}
