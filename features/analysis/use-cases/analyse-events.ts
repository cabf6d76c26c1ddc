import { firstArrival } from '#application/events/first-arrival.ts';
import type { AiSettings } from '#domain/ai/settings.ts';
import type { AiAnalysis, Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { type Analysed, analyse, recordOf } from '#features/analysis/rules/analysis.ts';
import { type AnomalyScale, boundedScore, scoreOf, withValue } from '#features/analysis/rules/anomaly.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { analysisView } from '#schemas/http/events/analysis-view.ts';
import { anomalyScoresOf, gather, type Unscored } from './gather.ts';
import { queueForModel } from './queue-for-model.ts';

const KIND = 'anomaly-scale';
const ID = 'newest';

/** The scale for the next event of a tenant. */
interface StoredScale extends AnomalyScale {
  /** Event time of the tenant's first event, ms. */
  readonly since: number;
}

type ScalePorts = Pick<Ports, 'records' | 'correlation'>;

/** `at`: event time of an event that there is, ms. */
const loadScale = async (ports: ScalePorts, tenant: string, at: number): Promise<StoredScale> => {
  const stored = (await ports.records.get<StoredScale>(tenant, KIND, ID))?.body;
  if (stored !== undefined) return { ...stored, since: Math.min(stored.since, at) };
  return { newest: [], since: Math.min(at, (await firstArrival(ports, tenant)) ?? at) };
};

const saveScale = async ({ records }: ScalePorts, tenant: string, scale: StoredScale): Promise<void> => {
  await records.put<StoredScale>(tenant, KIND, ID, scale);
};

/** Reports the first analysis of each event once, also after a crash. Suppressed events are not reported. */
const tellAnalyses = async (
  ports: Ports,
  tenant: string,
  analyses: readonly { readonly event: Event; readonly analysis: AiAnalysis }[],
): Promise<void> => {
  const first = analyses.filter(({ event }) => event.aiAnalysis === undefined && event.status !== 'suppressed');
  if (first.length === 0 || !(await isWanted(ports, tenant, 'analysis.completed'))) return;
  const told = first.map(({ event: { id, position }, analysis }) => ({
    kind: 'analysis.completed' as const,
    resource: { kind: 'event' as const, id },
    sequence: position,
    at: analysis.generatedAt,
    data: { analysis: analysisView(id, analysis) },
  }));
  await queueOutgoing(ports, tenant, told);
};

/** Records per request; events received meanwhile wait for that time. */
const APPENDED = 200;

/** It needs no further analysis unless something about it changes. */
export const isAnalysed = ({ aiAnalysis, createdAt }: Event): boolean =>
  aiAnalysis !== undefined && aiAnalysis.generatedAt >= createdAt;

/** A scored event retains its score, which compares it with earlier events. */
const scoredBefore = ({ event: { aiAnalysis } }: Unscored): number | null => aiAnalysis?.anomalyScore ?? null;

const scored = (cases: readonly Unscored[], scale: StoredScale, abstainBelow: number) => {
  let grown = scale;
  const analyses = cases.map((about): Analysed => {
    const { event, strangeness } = about;
    const before = scoredBefore(about);
    const score =
      before ?? boundedScore(scoreOf(strangeness.value, grown), { usual: event.usual, days: strangeness.days });
    if (before === null) grown = { ...withValue(grown, strangeness.value), since: grown.since };
    return analyse({ ...about, score, abstainBelow });
  });
  return { analyses, grown };
};

const inOrder = (a: Event, b: Event): number => a.createdPosition - b.createdPosition || (a.id < b.id ? -1 : 1);

/**
 * Analyzes up to 500 events of one tenant by rules; stores nothing. `scale`: with their values and those of `skipped`. `isWhole`: also
 * reads the surroundings of events with a known cause.
 */
export const analysesOf = async (
  ports: Ports,
  tenant: string,
  events: readonly Event[],
  { abstainBelow, zone, runbooks }: AiSettings,
  { skipped = [], isWhole = true }: { readonly skipped?: readonly Event[]; readonly isWhole?: boolean } = {},
): Promise<{ readonly analyses: readonly Analysed[]; readonly scale: StoredScale }> => {
  const sorted = [...events].sort(inOrder);
  const scale = await loadScale(ports, tenant, Math.min(...[...sorted, ...skipped].map(({ timestamp }) => timestamp)));
  const batch = {
    tenant,
    events: sorted,
    since: scale.since,
    now: ports.clock.now(),
    zone,
    abstainBelow,
    isWhole,
    runbooks,
  };
  const { analyses, grown } = scored(sorted.length === 0 ? [] : await gather(ports, batch), scale, abstainBelow);
  const others = await anomalyScoresOf(ports, { ...batch, events: skipped });
  const whole = others.reduce((one, { value }) => ({ ...withValue(one, value), since: one.since }), grown);
  return { analyses, scale: whole };
};

/** Sends the owner of the events their analyses; resolves when they are in the log. */
export const appendAnalyses = async (
  { eventLog, clock }: Pick<Ports, 'eventLog' | 'clock'>,
  tenant: string,
  analyses: readonly { readonly event: Event; readonly analysis: AiAnalysis }[],
): Promise<void> => {
  const receivedAt = clock.now();
  const records = analyses.map(
    ({ event, analysis }): Incoming => ({ ask: { kind: 'analysed', eventId: event.id, analysis }, receivedAt }),
  );
  for (const some of slices(records, APPENDED)) {
    await eventLog.room();
    await eventLog.append(tenant, some);
  }
};

const measured = ({ metrics, clock }: Ports, events: readonly Event[]): void => {
  const now = clock.now();
  metrics.count('faultline_analyses_total', { by: 'rules' }, events.length);
  for (const { createdAt, aiAnalysis } of events)
    if (aiAnalysis === undefined) metrics.observe('faultline_analysis_seconds', {}, (now - createdAt) / 1_000);
};

/**
 * Analyses events of one tenant by the rules, at most 500, and sends what was found to their owner. How unusual others are is measured by
 * the `skipped` ones, too.
 */
export const analyseEvents = async (
  ports: Ports,
  tenant: string,
  events: readonly Event[],
  settings: AiSettings,
  skipped: readonly Event[] = [],
): Promise<readonly Analysed[]> => {
  if (events.length + skipped.length === 0) return [];
  const { analyses, scale } = await analysesOf(ports, tenant, events, settings, { skipped, isWhole: false });
  const generatedAt = ports.clock.now();
  const found = analyses.map((analysed) => ({
    event: analysed.about.event,
    analysis: recordOf(analysed, generatedAt),
  }));
  await tellAnalyses(ports, tenant, found);
  await appendAnalyses(ports, tenant, found);
  if ([...events, ...skipped].some(({ aiAnalysis }) => aiAnalysis === undefined)) await saveScale(ports, tenant, scale);
  measured(ports, events);
  queueForModel(ports, tenant, analyses);
  return analyses;
};
