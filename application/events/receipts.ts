import type { Receipt } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';

export type Accepted = Extract<Receipt, { ok: true }>;

/** The receipt when the record was taken, else the fault it stands for. */
export const accepted = (receipt: Receipt): Accepted => {
  if (receipt.ok) return receipt;
  throw new Fault(receipt.fault, receipt.message, [], receipt.data === undefined ? {} : { data: receipt.data });
};
