import type { Context } from '#api/surfaces/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { reviewView } from '#features/discovery/schemas/review-view.ts';
import { type Review, readReview } from '#features/discovery/use-cases/review-records.ts';

export const REVIEWS = '/discovery/reviews';

/** A review with the CIs that it names, as far as they are still there. */
export interface Shown {
  readonly review: Review;
  readonly cis: readonly Ci[];
}

export async function withCis({ topology }: Ports, tenant: string, reviews: readonly Review[]): Promise<Shown[]> {
  const ids = [...new Set(reviews.flatMap(({ candidates }) => candidates))];
  const cis = new Map((await topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
  return reviews.map((review) => ({ review, cis: review.candidates.flatMap((id) => cis.get(id) ?? []) }));
}

/** Throws Fault `not-found`. */
export async function findReview({ tenant, ports }: Context, id: string): Promise<StoredRecord<Review>> {
  const stored = await readReview(ports, tenant, id);
  if (stored === null) throw notFound('Review', id);
  return stored;
}

export const presentReview = (shown: Shown) => ({ body: reviewView(shown) });
