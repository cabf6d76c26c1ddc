import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { DELIVERY_KINDS } from '#features/webhooks/use-cases/delivery/records.ts';

/** Records read at once; each has the notifications of one change of at most some thousand resources. */
const PAGE = 10;

interface OutgoingRecord {
  readonly tenant: string;
  readonly told: readonly Outgoing[];
}

/** Must be stored with its change. */
export const outgoingRecord = ({ ids }: Pick<Ports, 'ids'>, tenant: string, told: readonly Outgoing[]): SideRecord => {
  const body: OutgoingRecord = { tenant, told };
  return { tenant: SYSTEM_TENANT, kind: DELIVERY_KINDS.outgoing, id: ids.ulid(), body };
};

/**
 * Creates deliveries of stored changes. A process that dies in between leaves them for the next one: a repetition makes
 * nothing new.
 */
export const drainOutgoing = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  for (;;) {
    const page = await ports.records.list<OutgoingRecord>(SYSTEM_TENANT, DELIVERY_KINDS.outgoing, { limit: PAGE });
    for (const { id, body } of page) {
      if (isStopping()) return;
      await queueOutgoing(ports, body.tenant, body.told);
      await ports.records.remove(SYSTEM_TENANT, DELIVERY_KINDS.outgoing, id);
    }
    if (page.length < PAGE) return;
  }
};
