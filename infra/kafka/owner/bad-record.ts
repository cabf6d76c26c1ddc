import { ulidFrom } from '#domain/access/ulid-time.ts';
import type { Receipt } from '#domain/event/incoming.ts';
import { errorMessage, type Fault } from '#domain/fault.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import type { BatchPage } from './journal.ts';
import type { Input } from './owner.ts';
import { refusedChanges } from './refused-changes.ts';
import type { Emitted, Rejected } from './step-batch.ts';

/** Receipt for callers that wait for the record. */
export const refusal: Receipt = { ok: false, fault: 'internal', message: "Couldn't process the record" };

/** Position of an error. */
export interface RecordPosition {
  readonly processor: { readonly name: string; readonly input: string };
  readonly partition: number;
  /** Clock, ms. */
  readonly at: number;
}

/** Maximum length, since a message may quote its input. */
const MAX_REASON = 4_096;
const reasonOf = (error: unknown): string => errorMessage(error).slice(0, MAX_REASON);

const deadLetterId = (appendedAt: number, ...what: readonly (string | number)[]): string =>
  ulidFrom(appendedAt, what.join('/'));

/** The dead letter of a record that a processor could not handle. */
export const rejectedInput = (
  { processor: { name, input: topic }, partition, at }: RecordPosition,
  { offset, entry, raw, at: appendedAt }: Input,
  error: unknown,
): Rejected => ({
  id: deadLetterId(appendedAt, topic, partition, offset, name),
  tenant: entry.tenant,
  topic,
  offset,
  position: entry.position,
  processor: name,
  at,
  isDocument: false,
  reason: reasonOf(error),
  value: raw.toString('base64'),
});

/** Returns the dead letter for an output of an earlier batch's record. */
export const rejectedOutput = (
  { processor: { name }, partition, at, appendedAt }: RecordPosition & { readonly appendedAt: number },
  { topic, entry: { tenant, position, value } }: Emitted,
  error: unknown,
): Rejected => ({
  id: deadLetterId(appendedAt, name, partition, topic, position),
  tenant,
  topic,
  offset: -1,
  position,
  processor: name,
  at,
  isDocument: true,
  reason: reasonOf(error),
  value: Buffer.from(JSON.stringify(value ?? null)).toString('base64'),
});

interface RefusedEvent {
  readonly key: EventKey;
  readonly reason: string;
}

/** Dead letters of documents that the store refused for their content, with all that would have been saved of each. */
export const refusedDocuments = (
  { processor: { name, input: topic }, partition, at }: RecordPosition,
  { number, next, at: appendedAt, changes }: Pick<BatchPage, 'number' | 'next' | 'at'> & { readonly changes: Changes },
  fault: Fault,
): Rejected[] => {
  const refused = (fault.data?.refused ?? []) as readonly RefusedEvent[];
  return refused.map(({ key: { tenant, id }, reason }) => {
    const document = refusedChanges(changes, { tenant, id });
    return {
      id: deadLetterId(appendedAt, name, partition, number, tenant, id),
      tenant,
      topic,
      offset: next - 1,
      position: 0,
      processor: name,
      at,
      isDocument: true,
      reason: `The store rejected ${id} of batch ${number}: ${reason}`,
      value: Buffer.from(JSON.stringify(document)).toString('base64'),
    };
  });
};
