import type { z } from 'zod';
import type { Actor } from '#domain/event/event.ts';
import type { MatchKey } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { attributesOf, type Host } from '#features/discovery/rules/host.ts';
import { iso } from '#schemas/http/time.ts';
import type { ReviewView } from './discovery-admin.ts';

type ScanReview = Pick<z.output<typeof ReviewView>, 'id' | 'status' | 'reason'> & {
  readonly scannerId: string;
  readonly scanId: string;
  readonly seenAt: number;
  readonly host: Host;
  readonly by: MatchKey;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resolution: { readonly ci: string | null; readonly by: Actor; readonly at: number } | null;
};

/** A machine in the scanner's own field names. */
const hostView = (host: Host): Record<string, unknown> => ({
  ...attributesOf(host),
  ...(host.externalKey !== undefined && { external_key: host.externalKey }),
});

export const reviewView = ({
  review,
  cis,
}: {
  readonly review: ScanReview;
  readonly cis: readonly Ci[];
}): z.output<typeof ReviewView> => ({
  id: review.id,
  status: review.status,
  scanner_id: review.scannerId,
  scan_id: review.scanId,
  seen_at: iso(review.seenAt),
  host: hostView(review.host),
  matched_by: review.by,
  reason: review.reason,
  candidates: cis.map(({ id, name, type }) => ({ id, name, type })),
  created_at: iso(review.createdAt),
  updated_at: iso(review.updatedAt),
  resolution: review.resolution && {
    ci_id: review.resolution.ci,
    by: { _id: review.resolution.by.id, username: review.resolution.by.username, name: review.resolution.by.name },
    at: iso(review.resolution.at),
  },
});
