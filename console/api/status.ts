import type { z } from 'zod';
import type { ResolutionCategory, Status } from '#domain/event/event.ts';
import type { StatusOfManyReply } from '#schemas/http/events/found.ts';
import type { AddressQuery } from './link/address.ts';
import type { Call } from './link/call.ts';

/** Which events: some, those of a group, or all that a filter finds. */
export type Which =
  | { readonly ids: readonly string[] }
  | { readonly correlationId: string }
  | { readonly filter: AddressQuery; readonly expect: number };

export interface Wish {
  readonly status: Status;
  readonly notes?: string;
  readonly resolutionCategory?: ResolutionCategory;
}

type Done = z.output<typeof StatusOfManyReply>;

export const setStatus = (call: Call, which: Which, wish: Wish, idempotencyKey?: string): Promise<Done> =>
  call<Done>('POST /api/events/status', {
    body: { ...which, ...wish },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
