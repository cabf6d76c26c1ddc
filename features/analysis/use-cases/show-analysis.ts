import { analysingSettings } from '#application/records/tenant-settings.ts';
import { firstItem } from '#domain/assert.ts';
import { GROUP_CARE, type GroupAssignment } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
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

const isUpToDate = async ({ records }: Ports, { tenant, correlationId, aiAnalysis }: Event): Promise<boolean> => {
  if (aiAnalysis === undefined) return false;
  if (correlationId === null) return true;
  const care = await records.get<GroupAssignment>(tenant, GROUP_CARE, correlationId).catch(() => null);
  return (care?.body.verdict?.at ?? 0) < aiAnalysis.generatedAt;
};

/**
 * The event with its analysis: one that has none yet is analysed now, and what is found is sent to its owner without waiting. While a
 * store fails, the event is shown without.
 */
export const withAnalysis = async (ports: Ports, event: Event): Promise<Event> =>
  (await isUpToDate(ports, event)) ? event : analysedNow(ports, event).catch(() => event);
