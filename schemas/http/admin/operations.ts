import { z } from 'zod';
import { JOB_OUTCOMES } from '#domain/ports/jobs.ts';
import { always } from '#schemas/http/always.ts';
import { atLeastOneOf, flag, wholeNumber } from '#schemas/http/common.ts';
import { IsoTime } from '#schemas/http/time.ts';

/* Pipeline, dead letters and topics under /api/admin. */

const offset = z.int().min(0);
const STATUSES = ['running', 'missing', 'standing', 'behind', 'failing', 'paused'] as const;

const Job = z.object({
  name: z.string(),
  every_seconds: z.number().min(0),
  outcome: z.enum(JOB_OUTCOMES).nullable().meta({
    description:
      'Of the last run, null before the first has ended. late: it took longer than it may; elsewhere: another process has the lease, or did it in this period; paused: it deletes or expires data, and the system clock was set lately',
  }),
  last_run: IsoTime.nullable(),
  duration_ms: z.int().min(0).nullable(),
  last_success: IsoTime.nullable(),
  running_since: IsoTime.nullable(),
  next_run: IsoTime,
  error: z.string().nullable().meta({ description: 'Platform administrators only' }),
});

const ActorView = z.object({ id: z.string(), username: z.string(), name: z.string() });
const Paused = z.object({ by: ActorView, at: IsoTime });

/** A sink after it was paused or resumed. */
export const SinkView = z.object({ name: z.string(), paused: Paused.nullable() }).meta({ id: 'Sink' });

export const ClockView = z.object({ confirmed_at: IsoTime }).meta({ id: 'ClockConfirmation' });

export const PipelineView = z
  .object({
    processors: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['fold', 'join', 'sink']).optional().meta({
          description:
            'fold: owns what is stored; join: looks for partners; sink: reads along and has effects outside the pipeline',
        }),
        paused: Paused.nullable()
          .optional()
          .meta({ description: 'Who has paused the sink; platform administrators only' }),
        input: z.string().meta({ description: 'Topic' }),
        status: z.enum(STATUSES).meta({
          description:
            'missing: nobody runs it; standing: no progress for a minute; behind: more than 10,000 records and growing; failing: its batches fail; paused: a sink that somebody has paused',
        }),
        detail: z.string().nullable().meta({ description: 'Platform administrators only' }),
        members: z.int().min(0).meta({ description: 'Processes that run it' }),
        position: offset,
        lag: offset.meta({ description: 'Records not yet read; of the partition of the tenant, or of all' }),
        last_error: z.object({ message: z.string(), at: IsoTime.nullable() }).nullable(),
        partitions: z.array(
          z.object({
            partition: z.int().min(0),
            position: offset,
            end: offset,
            lag: offset,
            member: z.string().nullable(),
          }),
        ),
        processes: z.array(z.object({ id: z.string(), host: z.string(), partitions: z.array(z.int()) })),
      }),
    ),
    dead_letters: z.object({
      waiting: z.int().min(0),
      at_least: z.boolean().meta({ description: 'True when only the newest 1,000 were looked at' }),
    }),
    jobs: z.array(Job).optional().meta({ description: 'Periodic work of the process that answers' }),
  })
  .meta({ id: 'PipelineStatus' });

const series = z.array(z.number().min(0).nullable());
const ofPlatform = 'platform administrators only, null for others';

export const PipelineHistoryView = z
  .object({
    step_seconds: z.int().min(1),
    at: z.array(IsoTime).meta({ description: 'Ends of the steps, the oldest first; at most an hour' }),
    stages: z
      .array(
        z.object({
          name: z.string(),
          lag: series.meta({ description: 'Records that waited; null where it was not known' }),
          read_per_second: series.meta({ description: `Records; ${ofPlatform}` }),
          emitted_per_second: series.meta({ description: `Records; ${ofPlatform}` }),
          errors: series.meta({ description: `Steps that threw; ${ofPlatform}` }),
          batch_ms: series.meta({ description: `Mean time of a batch; null without one; ${ofPlatform}` }),
        }),
      )
      .meta({ description: 'In reading order; each list has one entry per step' }),
  })
  .meta({ id: 'PipelineHistory' });

export const TopicView = z
  .object({
    name: z.string(),
    key: z.enum(['tenant', 'process']),
    storage: z.enum(['kafka', 'memory']),
    partitions: z.int().min(1),
    retention_ms: z.int().nullable().meta({ description: 'Null: not by time' }),
    compacted: z.boolean(),
    schema: z.object({ subject: z.string(), version: z.int().nullable(), id: z.int().nullable() }),
    offsets: z
      .array(z.object({ partition: z.int().min(0), first: offset, end: offset }))
      .meta({ description: 'First record that is kept and the next that comes; platform administrators only' }),
  })
  .meta({ id: 'TopicStatus' });

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
/** Most letters that one request settles. */
const MOST_LETTERS = 1_000;
const processor = z.string().min(1).max(64);
const reason = z.string().min(1).max(255);

export const LettersQuery = z.strictObject({
  limit: wholeNumber(1, 100).default(20),
  cursor: z.string().regex(ulid, 'expected a nextCursor').optional(),
  processor: processor.optional(),
  reason: reason.optional().meta({ description: 'Part of the reason, in any case of letters' }),
  state: z.enum(['waiting', 'replayed', 'discarded', 'all']).default('waiting'),
  unassigned: flag()
    .default(false)
    .meta({ description: 'Those whose tenant cannot be read; platform administrators only' }),
});

export const SettleLetters = z
  .strictObject({
    processor: processor.optional(),
    reason: reason.optional(),
    limit: z.int().min(1).max(MOST_LETTERS).default(MOST_LETTERS),
  })
  .check(
    always(({ value, issues }) => {
      if (value.processor === undefined && value.reason === undefined)
        issues.push({ code: 'custom', input: value, path: ['processor'], message: 'expected a processor or a reason' });
    }),
  )
  .meta({ id: 'SettleDeadLetters', ...atLeastOneOf('processor', 'reason') });

const letterFields = {
  id: z.string(),
  at: IsoTime,
  processor: z.string(),
  reason: z.string(),
  topic: z.string(),
  partition: z.int().min(0),
  offset,
  position: offset.meta({ description: 'Of the incoming record that caused it; 0 when not known' }),
  attempts: z.int().min(1),
  state: z.enum(['waiting', 'replayed', 'discarded']),
  settled: z
    .object({
      at: IsoTime,
      by: ActorView,
      outcome: z.string(),
    })
    .nullable(),
};
export const LetterView = z.object(letterFields).meta({ id: 'DeadLetter' });
export const LetterDetail = z
  .object({
    ...letterFields,
    record: z.unknown().meta({ description: 'As it was received, null when it cannot be read' }),
    value: z.string().nullable().meta({ description: 'Its bytes in base64; null in embedded mode' }),
    not_replayable: z.string().nullable().meta({ description: 'Why it cannot be replayed; null when it can' }),
  })
  .meta({ id: 'DeadLetterDetail' });

export const SettledView = z
  .object({
    settled: z.int().min(0),
    failed: z.int().min(0),
    failures: z.array(z.object({ id: z.string(), reason: z.string() })).meta({ description: 'The first 100' }),
    more: z.boolean().meta({ description: 'Further letters match' }),
  })
  .meta({ id: 'SettledDeadLetters' });
