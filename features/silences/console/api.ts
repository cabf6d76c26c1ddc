import type { z } from 'zod';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { Recurrence } from '#domain/event/silences/recurrence.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import type { PreviewBody, SilenceBody } from '#features/silences/schemas/silences.ts';

export type SilenceData = z.output<typeof SilenceBody>;

export const listSilences = async (
  call: Call,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<readonly SilenceData[]> =>
  (await call<{ readonly silences: readonly SilenceData[] }>('GET /api/events/silences', { query, signal })).silences;

/** A silence as it is sent. */
export interface SilenceWish {
  readonly matcher: SilenceMatcher;
  readonly startsAt?: string;
  readonly endsAt: string;
  readonly recurrence?: Recurrence | null;
  readonly reason: string;
}

export const makeSilence = (call: Call, body: SilenceWish): Promise<unknown> =>
  call('POST /api/events/silences', { body });

export const changeSilence = (call: Call, id: string, body: SilenceWish): Promise<unknown> =>
  call('PUT /api/events/silences/{id}', { params: { id }, body });

export const endSilence = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/events/silences/{id}', { params: { id } });

type SilencePreviewed = { readonly [Name in keyof typeof PreviewBody]: z.output<(typeof PreviewBody)[Name]> };
export const previewSilence = (call: Call, matcher: SilenceMatcher, signal?: AbortSignal): Promise<SilencePreviewed> =>
  call('POST /api/events/silences/preview', { body: { matcher }, signal });
