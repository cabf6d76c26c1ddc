import type { Outgoing, Webhook } from './webhook.ts';

const CHARACTERS = 32;

/** The same for the same webhook, kind, resource and sequence, so that a replay makes no second delivery. */
export const deliveryIdOf = (
  sha256: (text: string) => string,
  { id }: Pick<Webhook, 'id'>,
  { kind, resource, sequence, escalation }: Pick<Outgoing, 'kind' | 'resource' | 'sequence' | 'escalation'>,
): string => {
  // A group that changes in nothing else may be escalated several times.
  const parts = [id, kind, resource.kind, resource.id, sequence, ...(escalation ? [escalation.since] : [])];
  return `DLV-${sha256(JSON.stringify(parts)).slice(0, CHARACTERS)}`;
};
