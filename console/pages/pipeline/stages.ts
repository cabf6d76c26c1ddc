import type { PipelineHistoryData, Processor } from '#console/api/pipeline.ts';
import type { MarkKind } from '#console/components/mark/kinds.ts';
import { count, number, plain } from '#console/text/counts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';

/** Steps of the flow of an event, in their order; processors that read the same topic are one step. */
const STEPS: readonly { readonly input: string; readonly words: string }[] = [
  { input: 'events.incoming', words: 'Deduplicate' },
  { input: 'events.saved', words: 'Enrich' },
  { input: 'events.enriched', words: 'Correlate' },
  { input: 'correlation.hits', words: 'Group' },
];
const SINKS = 'Outputs';

interface Column {
  readonly words: string;
  readonly stages: readonly Processor[];
}

/** The pipeline as a picture: one column for each step. */
export const columnsOf = (processors: readonly Processor[]): Column[] => {
  const own = processors.filter(({ kind }) => kind !== 'sink');
  const known = STEPS.map(({ input, words }) => ({ words, stages: own.filter((one) => one.input === input) }));
  const others = own.filter(({ input }) => STEPS.every((step) => step.input !== input));
  const sinks = processors.filter(({ kind }) => kind === 'sink');
  return [...known, { words: 'Other', stages: others }, { words: SINKS, stages: sinks }].filter(
    ({ stages }) => stages.length > 0,
  );
};

/** Names of processors and jobs whose own ones don't show what they do. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['heed-pauses', 'Apply processor pauses'],
  ['tell-silences', 'Send silence webhooks'],
  ['judge-decisions', 'Compare agent actions with outcomes'],
  ['word-analyses', 'Write AI analyses'],
  ['forget-topology', 'Delete old topology history'],
  ['read-rotas', 'Read on-call calendars'],
  ['tidy-records', 'Delete expired records'],
  ['tidy-topology', 'Delete orphaned relationships'],
  ['lift-silences', 'Reopen events of ended silences'],
  ['remember-pipeline', 'Record pipeline history'],
  ['empty-tenants', 'Delete data of removed tenants'],
  ['analyse-left', 'Analyze groups again'],
  ['dedup', 'Deduplicate'],
  ['enrich', 'Enrich'],
  ['merge', 'Merge'],
  ...strategies.map(({ name }) => [`correlate.${name}`, plain(name)] as const),
  ['analyse', 'Analyze events'],
  ['analyse.groups', 'Analyze groups'],
  ['notify', 'Event webhooks'],
  ['notify.groups', 'Group webhooks'],
  ['standing', 'Group status by member'],
  ['standing.groups', 'Group status'],
  ['group.members', 'Group members'],
  ['group.rows', 'Group list'],
  ['search', 'Index events'],
  ['search.groups', 'Index groups'],
]);

export const stageName = (name: string): string => NAMES.get(name) ?? plain(name);

const STATUS: Readonly<
  Record<Processor['status'], { readonly kind: MarkKind; readonly words: string; readonly means: string }>
> = {
  running: { kind: 'good', words: 'Running', means: 'Running normally' },
  behind: { kind: 'caution', words: 'Lagging', means: 'More than 10,000 records queued and growing' },
  standing: { kind: 'bad', words: 'Stalled', means: 'Records queued, none read for 1 minute' },
  failing: { kind: 'bad', words: 'Failing', means: 'Batches fail and are retried' },
  missing: { kind: 'bad', words: 'Missing', means: 'Not running on any process' },
  paused: { kind: 'quiet', words: 'Paused', means: 'Records are queued' },
};
export const statusOf = ({ status }: Pick<Processor, 'status'>) => STATUS[status];

/** A stage in the newest step of the history; null where it is unknown. */
interface Pace {
  readonly read: number | null;
  readonly emitted: number | null;
  readonly batchMs: number | null;
  /** Number within the hour. */
  readonly errors: number | null;
}

const UNKNOWN: Pace = { read: null, emitted: null, batchMs: null, errors: null };
/** A minute: one step alone jumps. */
const STEPS_OF_PACE = 6;

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
const mean = (values: readonly (number | null)[]): number | null => {
  const numbers = known(values);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
};

export const paceOf = (history: PipelineHistoryData | undefined, name: string): Pace => {
  const stage = history?.stages.find((one) => one.name === name);
  if (stage === undefined) return UNKNOWN;
  const errors = known(stage.errors);
  return {
    read: mean(stage.read_per_second.slice(-STEPS_OF_PACE)),
    emitted: mean(stage.emitted_per_second.slice(-STEPS_OF_PACE)),
    batchMs: mean(stage.batch_ms.slice(-STEPS_OF_PACE)) ?? known(stage.batch_ms).at(-1) ?? null,
    errors: errors.length === 0 ? null : errors.reduce((sum, value) => sum + value, 0),
  };
};

const short = (value: number): string =>
  value >= 100 ? number(Math.round(value)) : number(Number(value.toPrecision(2)));

export const rateWords = (rate: number | null): string => (rate === null ? '–' : `${short(rate)}/s`);
export const msWords = (ms: number | null): string => (ms === null ? '–' : `${short(ms)} ms`);

const WELL: ReadonlySet<Processor['status']> = new Set(['running', 'paused']);

/** The pipeline in a sentence. */
export const pipelineWords = (
  processors: readonly Processor[],
): { readonly kind: MarkKind; readonly words: string } => {
  const ill = processors.filter(({ status }) => !WELL.has(status));
  const paused = processors.filter(({ status }) => status === 'paused');
  const waiting = Math.max(0, ...processors.map(({ lag }) => lag));
  if (ill.length > 0) {
    const said = ill.map((one) => `${stageName(one.name)}: ${statusOf(one).words.toLowerCase()}`).join(', ');
    return { kind: ill.some((one) => statusOf(one).kind === 'bad') ? 'bad' : 'caution', words: `${said}.` };
  }
  const rest = waiting === 0 ? 'No backlog' : `Backlog up to ${count(waiting, 'record')}`;
  if (paused.length > 0)
    return { kind: 'caution', words: `${rest}; ${paused.map(({ name }) => stageName(name)).join(', ')} paused.` };
  return { kind: 'good', words: `All ${count(processors.length, 'processor')} running. ${rest}.` };
};
