import type { Outgoing, Webhook } from './webhook.ts';

const CHARACTERS = 32;

/** The same for the same webhook, kind, resource and sequence, so that a replay makes no second delivery. */
export const deliveryIdOf = (
  sha256: (text: string) => string,
  { id }: Pick<Webhook, 'id'>,
  { kind, resource, sequence }: Pick<Outgoing, 'kind' | 'resource' | 'sequence'>,
): string => `DLV-${sha256(JSON.stringify([id, kind, resource.kind, resource.id, sequence])).slice(0, CHARACTERS)}`;
