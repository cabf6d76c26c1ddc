import { LIMIT_REASONS } from '#domain/limit-class.ts';
import { LIVE_ENDINGS } from '#domain/live/live-endings.ts';
import { counter, gauge, histogram, type Measurement, SECONDS } from '#domain/pipeline/measurement.ts';
import { JOB_OUTCOMES } from '#domain/ports/jobs.ts';
import { REFUSALS } from '#domain/refused-credential.ts';
import { CLASSES, DIRECTIONS, EVENT_OUTCOMES, LETTER_OUTCOMES, LIMITED_CLASSES, SILENCERS, SOURCES } from './labels.ts';

/** A thread waits for another at most 30 s. */
const WAIT_SECONDS = [...SECONDS, 30];
/** Runs of jobs: from a look at nothing to an hour. */
const JOB_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3600];
/** People take a minute to a week. */
const HANDLING_SECONDS = [60, 300, 900, 1800, 3600, 14_400, 28_800, 86_400, 259_200, 604_800];
const RECORDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Measurements of the core. */
export const MEASUREMENTS: readonly Measurement[] = [
  counter('faultline_events_ingested_total', 'Occurrences answered, by source and outcome', ['source', 'outcome'], {
    source: SOURCES,
    outcome: EVENT_OUTCOMES,
  }),
  gauge(
    'faultline_source_last_event_timestamp_seconds',
    'Time of the last answer to an event of the source, epoch seconds',
    ['source'],
  ),
  counter('faultline_clock_skew_total', 'Occurrences with a time too far back to be believed', ['source'], {
    source: SOURCES,
  }),
  counter('faultline_events_suppressed_total', 'Occurrences whose event a silence or maintenance suppresses', ['by'], {
    by: SILENCERS,
  }),
  counter('faultline_duplicates_total', 'Occurrences answered as folded into an open event', []),
  counter('faultline_rejected_total', 'Records that became dead letters', ['processor']),
  counter('faultline_dead_letters_settled_total', 'Dead letters replayed or discarded', ['outcome'], {
    outcome: LETTER_OUTCOMES,
  }),
  counter(
    'faultline_bindings_skipped_total',
    'Occurrences taken in unbound because the topology store did not answer in time',
    [],
  ),
  counter('faultline_sender_dropped_total', 'Alerts that the sender reports as dropped by itself', ['source'], {
    source: SOURCES,
  }),
  counter(
    'faultline_webhook_rejected_total',
    'Webhook bodies, or items of them, that could not be read; bodies with events that were too large',
    ['source'],
    { source: SOURCES },
  ),
  counter(
    'faultline_credentials_refused_total',
    'Requests refused for their credential, tenant or permission, by limit class and reason',
    ['class', 'reason'],
    { class: CLASSES, reason: REFUSALS },
  ),
  counter(
    'faultline_requests_limited_total',
    'Requests answered 429, by limit class (on /v1 the kind of credential) and reason',
    ['class', 'reason'],
    { class: LIMITED_CLASSES, reason: LIMIT_REASONS },
  ),
  gauge('faultline_tokens', 'API and discovery tokens by state; expiring: within 14 days', ['state']),
  gauge(
    'faultline_token_first_expiry_timestamp_seconds',
    'Time at which the first valid token of a kind expires, epoch seconds; +Inf: none does',
    ['kind'],
  ),
  histogram('faultline_http_request_duration_seconds', 'From the request line to the reply', [
    'route',
    'method',
    'status',
  ]),
  counter(
    'faultline_processor_records_total',
    'Records that a processor took (in; one that it reads again counts once) and emitted (out)',
    ['processor', 'direction'],
    {
      direction: DIRECTIONS,
    },
  ),
  counter('faultline_processor_errors_total', 'Steps that threw', ['processor']),
  histogram('faultline_processor_step_seconds', 'One batch in one processor', ['processor']),
  histogram('faultline_batch_records', 'Records per batch', [], RECORDS),
  histogram('faultline_commit_seconds', 'From the submission of a batch until it is durable', []),
  gauge('faultline_queue_depth', 'Records in memory of this process, before they are in a batch or the log', []),
  gauge('faultline_receipts_waiting', 'Records that have no receipt yet', []),
  gauge('faultline_unapplied_changes', 'Embedded: durable changes that are not in the database file yet', []),
  histogram(
    'faultline_apply_wait_seconds',
    'Embedded: how long the whole process stood still until earlier batches were in the database file',
    [],
    WAIT_SECONDS,
  ),
  gauge('faultline_requests_waiting', 'Embedded: large requests that wait for room, queries that wait or run', ['for']),
  histogram('faultline_receipt_seconds', 'From the append of a request to its last receipt', []),
  counter('faultline_receipts_late_total', 'Requests that got their receipts too late', []),
  counter('faultline_producer_retries_total', 'Appends to the log that the producer repeated', []),
  counter(
    'faultline_topology_changes_untold_total',
    'Changes of the topology that this process could not tell the others',
    [],
  ),
  gauge('faultline_processor_lag', 'Records between the newest and the position of a processor', ['processor']),
  gauge('faultline_partition_lag_max', 'Lag of the partition of a processor that is furthest behind', ['processor']),
  gauge('faultline_partition_waiting_seconds_max', 'Age of the oldest record that a processor has not done', [
    'processor',
  ]),
  gauge('faultline_processor_members', 'Processes that run a processor', ['processor']),
  counter('faultline_job_runs_total', 'Runs of periodic jobs, by outcome', ['name', 'outcome'], {
    outcome: JOB_OUTCOMES,
  }),
  histogram('faultline_job_seconds', 'One run of a periodic job', ['name'], JOB_SECONDS),
  gauge(
    'faultline_job_last_success_timestamp_seconds',
    'Start of the last run that did not fail, epoch seconds; before the first, start of the process',
    ['name'],
  ),
  gauge(
    'faultline_clock_settling_seconds',
    'Seconds until jobs that delete or expire data run again after the system clock was set; 0: they run',
    [],
  ),
  gauge('faultline_job_period_seconds', 'Time between two runs of a periodic job', ['name']),
  gauge('faultline_live_streams', 'Streams of live changes that are open', []),
  counter('faultline_live_changes_told_total', 'Changes sent to streams, those without names included', []),
  counter('faultline_live_resets_total', 'Resets: a stream told its reader to read everything anew', []),
  counter('faultline_live_ended_total', 'Streams of live changes that this process ended, by reason', ['reason'], {
    reason: LIVE_ENDINGS,
  }),
  gauge('faultline_groups', 'Groups of all tenants by state and age of the first event; resolved: of the last day', [
    'state',
    'age',
  ]),
  histogram(
    'faultline_acknowledge_seconds',
    'From the beginning of an event until a person first acknowledges it',
    [],
    HANDLING_SECONDS,
  ),
  histogram(
    'faultline_resolve_seconds',
    'From the beginning of an event until a person first resolves it',
    [],
    HANDLING_SECONDS,
  ),
  gauge('faultline_groups_open', 'Groups that may still grow: the last event is at most an hour old', []),
  histogram('faultline_accepted_to_correlated_seconds', 'From the receipt of an event to its decision', []),
  gauge('faultline_state_size', 'Entries that a processor keeps in memory', ['processor', 'what']),
  counter(
    'faultline_outbox_dropped_total',
    'Entries that the outbox dropped before sinks took them: too old, or too many',
    [],
  ),
  gauge('faultline_database_bytes', 'Files of the data directory: database, wal, redo', ['file']),
  gauge('faultline_disk_free_bytes', 'Free on the disk of the data directory', ['disk']),
  gauge('faultline_disk_size_bytes', 'Size of the disk of the data directory', ['disk']),
  gauge('faultline_build_info', 'Always 1', ['version', 'mode', 'node']),
];
