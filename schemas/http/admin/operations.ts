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
      'Outcome of the last run; null before the first. late: exceeded its time limit; elsewhere: run by another process; paused: deletes or expires data, and the system clock changed recently',
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
          description: 'fold: owns stored state; join: finds related events; sink: has effects outside the pipeline',
        }),
        paused: Paused.nullable()
          .optional()
          .meta({ description: 'User who paused the sink; platform administrators only' }),
        input: z.string().meta({ description: 'Topic' }),
        status: z.enum(STATUSES).meta({
          description:
            'missing: not running; standing: no progress for 1 minute; behind: more than 10,000 records queued and growing; failing: batches fail; paused: sink paused by a user',
        }),
        detail: z.string().nullable().meta({ description: 'Platform administrators only' }),
        members: z.int().min(0).meta({ description: 'Processes that run it' }),
        position: offset,
        lag: offset.meta({ description: 'Unread records in the partition of the tenant, or in all partitions' }),
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
      at_least: z.boolean().meta({ description: 'True if only the newest 1,000 were scanned' }),
    }),
    jobs: z.array(Job).optional().meta({ description: 'Scheduled jobs of the responding process' }),
  })
  .meta({ id: 'PipelineStatus' });

const series = z.array(z.number().min(0).nullable());
const ofPlatform = 'platform administrators only, null for others';

export const PipelineHistoryView = z
  .object({
    step_seconds: z.int().min(1),
    at: z.array(IsoTime).meta({ description: 'End time of each step, oldest first; up to one hour' }),
    stages: z
      .array(
        z.object({
          name: z.string(),
          lag: series.meta({ description: 'Queued records; null if unknown' }),
          read_per_second: series.meta({ description: `Records; ${ofPlatform}` }),
          emitted_per_second: series.meta({ description: `Records; ${ofPlatform}` }),
          errors: series.meta({ description: `Failed steps; ${ofPlatform}` }),
          batch_ms: series.meta({ description: `Mean batch time; null without batches; ${ofPlatform}` }),
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
    retention_ms: z.int().nullable().meta({ description: 'null: not time-based' }),
    compacted: z.boolean(),
    schema: z.object({ subject: z.string(), version: z.int().nullable(), id: z.int().nullable() }),
    offsets: z
      .array(z.object({ partition: z.int().min(0), first: offset, end: offset }))
      .meta({ description: 'First stored and next offset; platform administrators only' }),
  })
  .meta({ id: 'TopicStatus' });

const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
/** Most letters that one request settles. */
const MAX_LETTERS = 1_000;
const processor = z.string().min(1).max(64);
const reason = z.string().min(1).max(255);

export const DeadLettersQuery = z.strictObject({
  limit: wholeNumber(1, 100).default(20),
  cursor: z.string().regex(ulid, 'expected a nextCursor').optional(),
  processor: processor.optional(),
  reason: reason.optional().meta({ description: 'Part of the reason; not case-sensitive' }),
  state: z.enum(['waiting', 'replayed', 'discarded', 'all']).default('waiting'),
  unassigned: flag()
    .default(false)
    .meta({ description: 'Only dead letters without a readable tenant (platform administrators)' }),
});

export const ResolveDeadLetters = z
  .strictObject({
    processor: processor.optional(),
    reason: reason.optional(),
    limit: z.int().min(1).max(MAX_LETTERS).default(MAX_LETTERS),
  })
  .check(
    always(({ value, issues }) => {
      if (value.processor === undefined && value.reason === undefined)
        issues.push({ code: 'custom', input: value, path: ['processor'], message: 'expected a processor or a reason' });
    }),
  )
  .meta({ id: 'SettleDeadLetters', ...atLeastOneOf('processor', 'reason') });

const deadLetterFields = {
  id: z.string(),
  at: IsoTime,
  processor: z.string(),
  reason: z.string(),
  topic: z.string(),
  partition: z.int().min(0),
  offset,
  position: offset.meta({ description: 'Position of the incoming record; 0 if unknown' }),
  attempts: z.int().min(1),
  state: z.enum(['waiting', 'replayed', 'discarded']),
  settled: z.object({ at: IsoTime, by: ActorView, outcome: z.string() }).nullable(),
};
export const DeadLetterView = z.object(deadLetterFields).meta({ id: 'DeadLetter' });
export const DeadLetterDetail = z
  .object({
    ...deadLetterFields,
    record: z.unknown().meta({ description: 'Record as received; null if unreadable' }),
    value: z.string().nullable().meta({ description: 'Record bytes in base64; null in embedded mode' }),
    not_replayable: z.string().nullable().meta({ description: "Reason why it can't be replayed; null if it can" }),
  })
  .meta({ id: 'DeadLetterDetail' });

export const ResolvedDeadLettersView = z
  .object({
    settled: z.int().min(0),
    failed: z.int().min(0),
    failures: z.array(z.object({ id: z.string(), reason: z.string() })).meta({ description: 'First 100 failures' }),
    more: z.boolean().meta({ description: 'True if more dead letters match' }),
  })
  .meta({ id: 'SettledDeadLetters' });
