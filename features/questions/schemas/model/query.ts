import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { modelOutput } from '#features/ai/schemas/model/model-output.ts';
import { GROUPINGS, METRICS } from '#features/questions/rules/query.ts';

const names = z.array(z.string().min(1).max(100)).max(10);

const QueryOutput = z.strictObject({
  metric: z.enum(METRICS).nullable(),
  filters: z.strictObject({
    severity: z.array(z.enum(SEVERITIES)).max(SEVERITIES.length),
    status: names,
    source: names,
    ci: names,
    ci_type: names,
    service: names,
    environment: names,
    text: z.string().max(200).nullable(),
  }),
  group_by: z.enum(GROUPINGS).nullable(),
  range: z.string().max(100).nullable(),
  compare: z.boolean(),
  sort: z.enum(['asc', 'desc']).nullable(),
  limit: z.int().min(1).max(1_000).nullable(),
  not_understood: z.array(z.string().max(100)).max(10),
});
export type ModelQuery = z.output<typeof QueryOutput>;

/** A query in the words of the question; times as words, which code reads. */
export const queryOutput = modelOutput('query', QueryOutput);
