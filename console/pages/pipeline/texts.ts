import { count } from '#console/text/counts.ts';

export const reason = 'Reason';
export const processor = 'Processor';
export const rejected = 'Rejected';
export const attempts = 'Attempts';
export const location = 'Location';
export const partitionOffset = (topic: string, partition: number, offset: string) =>
  `${topic}, partition ${partition}, offset ${offset}`;
export const status = 'Status';
export const settledWithOutcome = (state: string, name: string, outcome: string) => `${state} by ${name}: ${outcome}`;
export const cantBeReplayed = "Can't be replayed";
export const replay = 'Replay';
export const discard = 'Discard';
export const originalRecord = 'Original record';
export const notReadable = 'Not readable. Copy the raw bytes as base64.';
export const deadLetter = 'Dead letter';
export const queued = 'Queued';
export const replayed = 'Replayed';
export const discarded = 'Discarded';
export const all = 'All';
export const processorWord = 'processor';
export const reasonWord = 'reason';
export const statusWord = 'status';
export const settledBy = (state: string, name: string) => `${state} by ${name}`;
export const discardedFor7Days = 'Discarded. Kept for 7 days.';
export const failed = (way: string) => `${way} failed`;
export const settled = (way: 'replay' | 'discard', records: number, failures: number, isMore: boolean) =>
  `${count(records, 'record')} ${way === 'replay' ? 'replayed' : 'discarded'}${failures === 0 ? '' : `, ${failures} failed`}${isMore ? '; more records match' : ''}`;
export const deadLetters = 'Dead letters';
export const recordOf = (processor: string, at: string) => `record of ${processor}, ${at}`;
export const show = 'Show';
export const filterForBulk = 'Filter by processor or reason to replay or discard in bulk';
export const allOf = (way: string) => `${way} all`;
export const allMatching = (words: string) => `${words} all matching`;
interface Narrowed {
  readonly processor?: string;
  readonly reason?: string;
}
export const bulkWarning = (records: string, isMore: boolean, { processor, reason }: Narrowed) =>
  [
    isMore ? records.replace(' ', '+ ') : records,
    processor === undefined ? '' : ` for ${processor}`,
    reason === undefined ? '' : ` whose reason contains “${reason}”`,
    '. Up to 1,000 at a time, oldest first.',
  ].join('');
export const deadLettersLead = 'Records that failed processing. Kept for 30 days; the pipeline continues.';
export const noDeadLetters = 'No dead letters';
export const noMatchingDeadLetters = 'No matching dead letters';
export const noDeadLettersHint = 'All records were processed.';
export const noMatchingDeadLettersHint = 'Clear the filters to see queued dead letters.';
export const pausedBy = (name: string) => `by ${name}`;
export const inLabel = 'In';
export const out = 'Out';
export const batchTime = 'Batch time';
export const errors1h = 'Errors (1h)';
export const processes = 'Processes';
export const resume = 'Resume';
export const resumed = (words: string) => `Resumed ${words}`;
export const couldntResume = (words: string) => `Couldn't resume ${words}`;
export const pause = 'Pause';
export const pausedRecordsQueued = (words: string) => `Paused ${words}. Records are queued.`;
export const couldntPause = (words: string) => `Couldn't pause ${words}`;
export const processors = 'Processors';
export const collectingDataHint = (seconds: number) => `One sample every ${seconds}s. Charts appear after two samples.`;
export const collectingData = 'Collecting data';
export const queuedRecords = 'Queued records';
export const nowPeak = (processor: string, now: string, peak: string) => `${processor}: ${now} now, ${peak} peak`;
export const throughput = 'Throughput';
export const inLastMinute = (processor: string, rate: string) => `${processor}: ${rate} in the last minute`;
export const ratesNote = 'Rates and times cover all tenants and are visible to platform administrators only.';
export const queuedOf = (lag: string) => `${lag} queued`;
export const ok = 'OK';
export const failedLabel = 'Failed';
export const timedOut = 'Timed out';
export const runsAnotherProcess = 'Runs on another process';
export const pausedByClock = 'Paused: the system clock changed';
export const notRunYet = 'Not run yet';
export const job = 'Job';
export const lastRun = 'Last run';
export const age = 'Age';
export const duration = 'Duration';
export const interval = 'Interval';
export const jobs = 'Jobs';
export const pipeline = 'Pipeline';
export const eventFlow = 'Event flow';
export const eventFlowLead = 'Select a processor to see its last hour.';
export const lastHour = (stage: string) => `Last hour: ${stage}`;
export const lastHourLead = 'Data from the process that served this request. Other processors in gray.';
export const jobsLead = 'Scheduled jobs of the process that served this request.';
