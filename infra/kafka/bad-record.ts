import type { Receipt } from '#domain/event/incoming.ts';
import type { Rejected } from './journal.ts';
import type { Input } from './owner.ts';

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
