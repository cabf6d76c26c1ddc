import type { z } from 'zod';
import type { ResolutionCategory, Status } from '#domain/event/event.ts';
import type { StatusOfManyReply } from '#schemas/http/events/found.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

/** Selected events: some, those of a group, or all that match a filter. */
export type Which =
  | { readonly ids: readonly string[] }
  | { readonly correlationId: string }
  | { readonly filter: AddressQuery; readonly expect: number };

export interface StatusChangeRequest {
  readonly status: Status;
  readonly notes?: string;
  /** ISO 8601. */
  readonly until?: string;
  readonly resolutionCategory?: ResolutionCategory;
}

type StatusChangeReply = z.output<typeof StatusOfManyReply>;

export const setStatus = (
  call: Call,
  which: Which,
  wish: StatusChangeRequest,
  idempotencyKey?: string,
): Promise<StatusChangeReply> =>
  call<StatusChangeReply>('POST /api/events/status', {
    body: { ...which, ...wish },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
