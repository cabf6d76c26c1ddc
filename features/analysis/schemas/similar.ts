import { z } from 'zod';
import type { SimilarIncident } from '#features/analysis/rules/similar.ts';
import { IsoTime, iso } from '#schemas/http/time.ts';

export const SimilarIncidentBody = z
  .object({
    correlationId: z.string(),
    likeness: z.number().min(0).max(1),
    at: IsoTime.meta({ description: 'Start' }),
    title: z.string().meta({ description: 'Root cause: set by a user, otherwise the probable one' }),
    subject: z.string(),
    durationSeconds: z.number().nullable().meta({ description: 'null: not resolved yet' }),
    by: z.string().nullable().meta({ description: 'User who gave a verdict or resolved it' }),
    note: z.string().nullable(),
  })
  .meta({ id: 'SimilarIncident' });

export const similarBody = ({
  groupId,
  likeness,
  at,
  title,
  subject,
  durationMs,
  by,
  note,
}: SimilarIncident): z.output<typeof SimilarIncidentBody> => ({
  correlationId: groupId,
  likeness,
  at: iso(at),
  title,
  subject,
  durationSeconds: durationMs === null ? null : Math.round(durationMs / 1_000),
  by,
  note,
});
