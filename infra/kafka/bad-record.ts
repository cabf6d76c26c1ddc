import type { Receipt } from '#domain/event/incoming.ts';
import type { Fault } from '#domain/fault.ts';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import type { EventKey } from '#domain/ports/processor.ts';
import type { Page } from './journal.ts';
import type { Input } from './owner.ts';
import type { Rejected } from './step-batch.ts';

/** What whoever waits for the record is told. */
export const refusal: Receipt = { ok: false, fault: 'internal', message: 'The record could not be processed' };

/** The dead letter of a record that a processor could not handle. */
export const rejectedInput = (
  processor: { readonly name: string; readonly input: string },
  { offset, entry, raw }: Input,
  error: unknown,
  at: number,
): Rejected => ({
  ...{ tenant: entry.tenant, topic: processor.input, offset, position: entry.position, processor: processor.name },
  ...{ reason: error instanceof Error ? error.message : String(error), at, value: raw.toString('base64') },
});

interface Refused {
  readonly key: EventKey;
  readonly reason: string;
}

/** Dead letters of documents that the store refused for their content, with the events that they would have changed. */
export const refusedDocuments = (
  processor: { readonly name: string; readonly input: string },
  { number, next }: Pick<Page, 'number' | 'next'>,
  changes: Changes,
  fault: Fault,
  at: number,
): Rejected[] => {
  const refused = (fault.data?.refused ?? []) as readonly Refused[];
  return refused.map(({ key: { tenant, id }, reason }) => {
    const document = changes.events.find(({ event }) => event.id === id)?.event ?? { id };
    const value = Buffer.from(JSON.stringify(document)).toString('base64');
    const why = `The store refused ${id} of batch ${number}: ${reason}`;
    return {
      tenant,
      topic: processor.input,
      offset: next - 1,
      position: 0,
      processor: processor.name,
      reason: why,
      at,
      value,
    };
  });
};
