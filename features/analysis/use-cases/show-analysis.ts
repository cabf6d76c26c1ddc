import { analysingSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import { firstItem } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { recordOf } from '#features/analysis/rules/analysis.ts';
import { analysesOf, appendAnalyses } from './analyse-events.ts';

const analysedNow = async (ports: Ports, event: Event): Promise<Event> => {
  const settings = await analysingSettings(ports, event.tenant);
  if (settings === null) return event;
  const { analyses } = await analysesOf(ports, event.tenant, [event], settings);
  const analysis = recordOf(firstItem(analyses), ports.clock.now());
  // The sink or the next reader finds again an analysis that is not sent now.
  appendAnalyses(ports, event.tenant, [{ event, analysis }]).catch(() => undefined);
  return { ...event, aiAnalysis: analysis };
};

/**
 * The event with its analysis: one that has none yet is analysed now, and what is found is sent to its owner without waiting. While a
 * store fails, the event is shown without.
 */
export const withAnalysis = async (ports: Ports, event: Event): Promise<Event> =>
  event.aiAnalysis !== undefined ? event : analysedNow(ports, event).catch(() => event);
