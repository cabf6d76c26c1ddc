import type { AiSettings } from '#domain/ai/settings.ts';
import type { AiAnalysis, Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import { type Analysed, analyse, recordOf } from '#features/analysis/rules/analysis.ts';
import { boundedScore, scoreOf, withValue } from '#features/analysis/rules/anomaly.ts';
import { tellAnalyses } from '#features/webhooks/use-cases/sources/analyses.ts';
import { gather, type Unscored } from './gather.ts';
import { queueForModel } from './queue-for-model.ts';
import { loadScale, type StoredScale, saveScale } from './scale.ts';

/** Records sent at once: events that come meanwhile wait for as many. */
const APPENDED = 200;

/** It needs no further analysis unless something about it changes. */
export const isAnalysed = ({ aiAnalysis, createdAt }: Event): boolean =>
  aiAnalysis !== undefined && aiAnalysis.generatedAt >= createdAt;

/** An event that was scored before keeps its score: it is compared with what came before it. */
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

/** Analyses by rules of events of one tenant, at most 500; stores nothing. `scale`: with their values. */
export const analysesOf = async (
  ports: Ports,
  tenant: string,
  events: readonly Event[],
  { abstainBelow, zone }: AiSettings,
): Promise<{ readonly analyses: readonly Analysed[]; readonly scale: StoredScale }> => {
  const sorted = [...events].sort(inOrder);
  const scale = await loadScale(ports, tenant, Math.min(...sorted.map(({ timestamp }) => timestamp)));
  const batch = { tenant, events: sorted, since: scale.since, now: ports.clock.now(), zone };
  const { analyses, grown } = scored(await gather(ports, batch), scale, abstainBelow);
  return { analyses, scale: grown };
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

/** Analyses events of one tenant by the rules, at most 500, and sends what was found to their owner. */
export const analyseEvents = async (
  ports: Ports,
  tenant: string,
  events: readonly Event[],
  settings: AiSettings,
): Promise<readonly Analysed[]> => {
  if (events.length === 0) return [];
  const { analyses, scale } = await analysesOf(ports, tenant, events, settings);
  const generatedAt = ports.clock.now();
  const found = analyses.map((analysed) => ({
    event: analysed.about.event,
    analysis: recordOf(analysed, generatedAt),
  }));
  await tellAnalyses(ports, tenant, found);
  await appendAnalyses(ports, tenant, found);
  if (events.some(({ aiAnalysis }) => aiAnalysis === undefined)) await saveScale(ports, tenant, scale);
  measured(ports, events);
  queueForModel(ports, tenant, analyses);
  return analyses;
};
