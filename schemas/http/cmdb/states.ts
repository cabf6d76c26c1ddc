import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import type { OpenCounts } from '#domain/services/health.ts';

/** Current health of CIs: colors of a map. */

const MAX_STATES = 1_000;

export const CiIds = z
  .strictObject({ ids: z.array(z.string().min(1).max(255)).min(1).max(MAX_STATES) })
  .meta({ id: 'CiIds', example: { ids: ['01M7YYCSX1W0SAZZRHKVPG78N3'] } });

const CiState = z
  .object({
    worst: z.enum(SEVERITIES).nullable().meta({ description: 'Highest open severity; null: none' }),
    open: z.int().min(0).meta({ description: 'Open and acknowledged events, excluding change events' }),
    acknowledged: z.int().min(0).meta({ description: 'Acknowledged events included in `open`' }),
  })
  .meta({ id: 'CiState' });
export const CiStates = z.record(z.string(), CiState).meta({
  id: 'CiStates',
  description: 'By requested ID; includes every requested ID',
  example: { '01M7YYCSX1W0SAZZRHKVPG78N3': { worst: 'major', open: 3, acknowledged: 1 } },
});

const sumOf = (counts: OpenCounts): number => SEVERITIES.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);

type ByCi = ReadonlyMap<string, OpenCounts>;
/** A list is read a moment before the other: no more are acknowledged than are open. */
export const ciStates = (ids: readonly string[], all: ByCi, seen: ByCi): z.output<typeof CiStates> =>
  Object.fromEntries(
    ids.map((id) => {
      const counts = all.get(id) ?? {};
      const open = sumOf(counts);
      const worst = SEVERITIES.find((severity) => (counts[severity] ?? 0) > 0) ?? null;
      return [id, { worst, open, acknowledged: Math.min(open, sumOf(seen.get(id) ?? {})) }];
    }),
  );
