import { auditedAs } from '#application/access/audit.ts';
import { Fault, isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Webhook } from '#features/webhooks/rules/webhook.ts';
import { findWebhook, putWebhook } from '#features/webhooks/use-cases/webhook-store.ts';

const FAULTLINE = { id: 'faultline', username: 'faultline', name: 'Faultline' };
const TRIES = 5;

/** Deliveries of the webhook wait from now on, until someone resumes it. One that is off, changed or gone stays as it is. */
export const switchOff = async (
  ports: Ports,
  tenant: string,
  { id }: Webhook,
  reason: NonNullable<Webhook['inactiveReason']>,
): Promise<void> => {
  const target = { kind: 'webhook', id };
  const by = { actor: FAULTLINE, address: '', department: null };
  for (let tries = 1; tries <= TRIES; tries++) {
    const { body: before, revision } = await findWebhook(ports.records, tenant, id);
    if (!before.active) return;
    const after: Webhook = { ...before, active: false, inactiveReason: reason, updatedAt: ports.clock.now() };
    const seen = { before: { active: true }, after: { active: false, inactive_reason: reason } };
    const entry = auditedAs(ports, tenant, by, { action: 'webhook.switched-off', target, ...seen });
    try {
      await putWebhook(ports, tenant, { before, after, expected: revision, sideRecords: [entry] });
      return;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new Fault('unavailable', `Webhook ${id} is changed by too many at once`);
};
