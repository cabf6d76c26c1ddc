import type { RecordOutcome } from '#domain/event/incoming.ts';
import { COUNTED_CLASSES, CREDENTIAL_KINDS, LIMIT_REASONS } from '#domain/limit-class.ts';
import { counter, gauge, histogram, type Measurement, SECONDS } from '#domain/pipeline/measurement.ts';
import { JOB_OUTCOMES } from '#domain/ports/jobs.ts';
import { REFUSALS } from '#domain/refused-credential.ts';
import { sources } from '#sources/sources.ts';

/** An outcome that is missing here does not compile. */
const OUTCOMES: Readonly<Record<RecordOutcome | 'failed' | 'queued', true>> = {
  created: true,
  duplicate_updated: true,
  resolved: true,
  acknowledged: true,
  suppressed: true,
  reopened: true,
  ignored: true,
  changed: true,
  failed: true,
  queued: true,
};

/** Values of labels. */
const SOURCES = [...sources.map(({ name }) => name), 'other'];
const EVENT_OUTCOMES = Object.keys(OUTCOMES);
const SILENCERS = ['silence', 'maintenance'];
const LETTER_OUTCOMES = ['replayed', 'discarded'];
const DIRECTIONS = ['in', 'out'];
/** `none`: endpoints without a credential, such as the login. */
const CLASSES = [...COUNTED_CLASSES, 'none'];
const LIMITED_CLASSES = [...CLASSES, ...CREDENTIAL_KINDS];

/** A thread waits for another at most 30 s. */
const WAIT_SECONDS = [...SECONDS, 30];
/** Runs of jobs: from an empty check to an hour. */
const JOB_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3600];
/** Users need a minute to a week. */
const HANDLING_SECONDS = [60, 300, 900, 1800, 3600, 14_400, 28_800, 86_400, 259_200, 604_800];
const RECORDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Measurements of the core. */
export const MEASUREMENTS: readonly Measurement[] = [
  counter('faultline_events_ingested_total', 'Ingested occurrences by source and outcome', ['source', 'outcome'], {
    source: SOURCES,
    outcome: EVENT_OUTCOMES,
  }),
  gauge('faultline_source_last_event_timestamp_seconds', 'Unix time of the last event received per source', ['source']),
  counter('faultline_clock_skew_total', 'Occurrences whose timestamp was rejected as clock skew', ['source'], {
    source: SOURCES,
  }),
  counter('faultline_events_suppressed_total', 'Occurrences suppressed by a silence or maintenance', ['by'], {
    by: SILENCERS,
  }),
  counter('faultline_duplicates_total', 'Duplicate occurrences', []),
  counter('faultline_rejected_total', 'Records moved to dead letters', ['processor']),
  counter('faultline_dead_letters_settled_total', 'Dead letters replayed or discarded', ['outcome'], {
    outcome: LETTER_OUTCOMES,
  }),
  counter('faultline_bindings_skipped_total', 'Occurrences accepted unbound because the topology store timed out', []),
  counter('faultline_sender_dropped_total', 'Alerts the sender reported as dropped', ['source'], { source: SOURCES }),
  counter(
    'faultline_webhook_rejected_total',
    'Rejected webhook payloads or items, and oversized event request bodies',
    ['source'],
    { source: SOURCES },
  ),
  counter(
    'faultline_credentials_refused_total',
    'Requests rejected with 401 or 403, by limit class and reason',
    ['class', 'reason'],
    { class: CLASSES, reason: REFUSALS },
  ),
  counter(
    'faultline_requests_limited_total',
    'Requests rejected with 429, by limit class (on /v1: credential type) and reason',
    ['class', 'reason'],
    { class: LIMITED_CLASSES, reason: LIMIT_REASONS },
  ),
  gauge('faultline_tokens', 'API and discovery tokens by state; expiring: within 14 days', ['state']),
  gauge(
    'faultline_token_first_expiry_timestamp_seconds',
    'Earliest expiry of valid tokens by kind, epoch seconds; +Inf: none expires',
    ['kind'],
  ),
  histogram('faultline_http_request_duration_seconds', 'Time from request line to response', [
    'route',
    'method',
    'status',
  ]),
  counter(
    'faultline_processor_records_total',
    'Records read (in; rereads count once) and emitted (out) by a processor',
    ['processor', 'direction'],
    { direction: DIRECTIONS },
  ),
  counter('faultline_processor_errors_total', 'Failed processing steps', ['processor']),
  histogram('faultline_processor_step_seconds', 'Time to process a batch in a processor', ['processor']),
  histogram('faultline_batch_records', 'Records per batch', [], RECORDS),
  histogram('faultline_commit_seconds', 'Time from batch submission to durable storage', []),
  gauge('faultline_queue_depth', 'Records in the memory of this process, not yet in a batch or the log', []),
  gauge('faultline_receipts_waiting', 'Records awaiting a receipt', []),
  gauge('faultline_unapplied_changes', 'Embedded: durable changes not yet in the database file', []),
  histogram(
    'faultline_apply_wait_seconds',
    'Embedded: time the process was blocked waiting for earlier batches to be applied',
    [],
    WAIT_SECONDS,
  ),
  gauge('faultline_requests_waiting', 'Embedded: queued large requests, queued and running queries', ['for']),
  histogram('faultline_receipt_seconds', 'Time from appending a request to its last receipt', []),
  counter('faultline_receipts_late_total', 'Requests whose receipts arrived too late', []),
  counter('faultline_producer_retries_total', 'Log appends retried by the producer', []),
  counter('faultline_topology_changes_untold_total', 'Topology changes that failed to broadcast', []),
  gauge('faultline_processor_lag', 'Records not yet read by a processor', ['processor']),
  gauge('faultline_partition_lag_max', 'Maximum partition lag per processor', ['processor']),
  gauge('faultline_partition_waiting_seconds_max', 'Age of the oldest record not yet handled by a processor', [
    'processor',
  ]),
  gauge('faultline_processor_members', 'Number of processes that run a processor', ['processor']),
  counter('faultline_job_runs_total', 'Scheduled job runs, by outcome', ['name', 'outcome'], { outcome: JOB_OUTCOMES }),
  histogram('faultline_job_seconds', 'Duration of a scheduled job run', ['name'], JOB_SECONDS),
  gauge(
    'faultline_job_last_success_timestamp_seconds',
    "Start of the last run that didn't fail, epoch seconds; process start before the first run",
    ['name'],
  ),
  gauge(
    'faultline_clock_settling_seconds',
    'Seconds until paused cleanup jobs resume after a system clock change; 0: running',
    [],
  ),
  gauge('faultline_job_period_seconds', 'Interval between runs of a scheduled job', ['name']),
  gauge('faultline_live_streams', 'Open live streams', []),
  counter('faultline_live_changes_told_total', 'Changes sent to live streams, including unnamed ones', []),
  counter('faultline_live_resets_total', 'Stream resets (client must reload)', []),
  counter('faultline_live_ended_total', 'Live streams ended by this process, by reason', ['reason'], {
    reason: ['expired', 'stopping', 'slow'],
  }),
  gauge('faultline_groups', 'Groups of all tenants by state and age of the first event; resolved: last 24 hours', [
    'state',
    'age',
  ]),
  histogram(
    'faultline_acknowledge_seconds',
    'Time from event start to first manual acknowledgement',
    [],
    HANDLING_SECONDS,
  ),
  histogram('faultline_resolve_seconds', 'Time from event start to first manual resolution', [], HANDLING_SECONDS),
  gauge('faultline_groups_open', 'Groups still open for new events', []),
  histogram('faultline_accepted_to_correlated_seconds', 'Time from receiving an event to its correlation decision', []),
  gauge('faultline_state_size', 'Processor entries in memory', ['processor', 'what']),
  counter(
    'faultline_outbox_dropped_total',
    'Outbox entries dropped before delivery to sinks (expired or over limit)',
    [],
  ),
  gauge('faultline_database_bytes', 'Size of files in the data directory: database, wal, redo', ['file']),
  gauge('faultline_disk_free_bytes', 'Free space on the disk of the data directory', ['disk']),
  gauge('faultline_disk_size_bytes', 'Size of the disk of the data directory', ['disk']),
  gauge('faultline_build_info', 'Always 1', ['version', 'mode', 'node']),
];
