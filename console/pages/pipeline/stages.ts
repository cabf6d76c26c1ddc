import type { PipelineHistoryShown, Processor } from '#console/api/pipeline.ts';
import type { MarkKind } from '#console/facts/mark/kinds.ts';
import { count, number, plain } from '#console/words/counts.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';

/** Steps of the way of an event, in their order; processors that read the same topic do one step together. */
const STEPS: readonly { readonly input: string; readonly words: string }[] = [
  { input: 'events.incoming', words: 'Fold repeats' },
  { input: 'events.saved', words: 'Find the CI' },
  { input: 'events.enriched', words: 'Correlate' },
  { input: 'correlation.hits', words: 'Form groups' },
];
const SINKS = 'Tell others';

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
  return [...known, { words: 'Others', stages: others }, { words: SINKS, stages: sinks }].filter(
    ({ stages }) => stages.length > 0,
  );
};

const NAMES: ReadonlyMap<string, string> = new Map([
  ['dedup', 'Deduplicate'],
  ['enrich', 'Enrich'],
  ['merge', 'Merge'],
  ...strategies.map(({ name, words }) => [`correlate.${name}`, `By ${words.by}`] as const),
  ['analyse', 'Analyse events'],
  ['analyse.groups', 'Analyse groups'],
  ['notify', 'Webhooks of events'],
  ['notify.groups', 'Webhooks of groups'],
  ['standing', 'State of groups, by members'],
  ['standing.groups', 'State of groups'],
  ['group.members', 'Members of groups'],
  ['group.rows', 'Lists of groups'],
  ['search', 'Index events'],
  ['search.groups', 'Index groups'],
]);

export const stageName = (name: string): string => NAMES.get(name) ?? plain(name);

const STATUS: Readonly<
  Record<Processor['status'], { readonly kind: MarkKind; readonly words: string; readonly means: string }>
> = {
  running: { kind: 'good', words: 'running', means: 'All is well' },
  behind: { kind: 'caution', words: 'behind', means: 'More than 10,000 records wait, and more come than go' },
  standing: { kind: 'bad', words: 'standing', means: 'Records wait and none was read for a minute' },
  failing: { kind: 'bad', words: 'failing', means: 'Its batches fail and are tried again' },
  missing: { kind: 'bad', words: 'missing', means: 'No process runs it' },
  paused: { kind: 'quiet', words: 'paused', means: 'Somebody has paused it; what it would take waits' },
};
export const statusOf = ({ status }: Pick<Processor, 'status'>) => STATUS[status];

/** A stage in the newest step of the history; null where it is unknown. */
interface Pace {
  readonly read: number | null;
  readonly emitted: number | null;
  readonly batchMs: number | null;
  /** Within the hour. */
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

export const paceOf = (history: PipelineHistoryShown | undefined, name: string): Pace => {
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
    const said = ill.map((one) => `${stageName(one.name)} is ${statusOf(one).words}`).join(', ');
    return { kind: ill.some((one) => statusOf(one).kind === 'bad') ? 'bad' : 'caution', words: `${said}.` };
  }
  const rest = waiting === 0 ? 'Nothing waits' : `${count(waiting, 'record')} wait at most`;
  if (paused.length > 0)
    return { kind: 'caution', words: `${rest}; ${paused.map(({ name }) => stageName(name)).join(', ')} paused.` };
  return { kind: 'good', words: `All ${count(processors.length, 'stage')} run. ${rest}.` };
};
