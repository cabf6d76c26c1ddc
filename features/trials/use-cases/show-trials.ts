import type { UseCaseContext } from '#application/access/context.ts';
import { notFound } from '#domain/fault.ts';
import { TRIAL_KINDS, type Trial } from '#features/trials/rules/trial.ts';
import { findTrial } from './records.ts';

type Asking = Pick<UseCaseContext, 'ports' | 'tenant'>;

/** Throws Fault `not-found`. */
export async function showTrial({ ports, tenant }: Asking, id: string): Promise<Trial> {
  const stored = await findTrial(ports.records, tenant, id);
  if (stored === null) throw notFound('Trial', id);
  return stored.body;
}

/** The newest first. */
export const listTrials = async ({ ports, tenant }: Asking, limit: number): Promise<Trial[]> =>
  (await ports.records.list<Trial>(tenant, TRIAL_KINDS.trial, { limit, descending: true })).map(({ body }) => body);
