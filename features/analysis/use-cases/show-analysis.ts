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

/** The named root cause is analyzed when the group changes to it. */
const hasLaterCause = async (ports: Ports, { tenant, id, correlationId }: Event, at: number): Promise<boolean> => {
  const cause = correlationId && (await ports.correlation.group(tenant, correlationId))?.candidate?.eventId;
  if (!cause || cause === id) return false;
  return ((await ports.events.get(tenant, cause))?.aiAnalysis?.generatedAt ?? 0) > at;
};

const isUpToDate = async (ports: Ports, event: Event): Promise<boolean> => {
  const { tenant, correlationId, aiAnalysis } = event;
  if (aiAnalysis === undefined) return false;
  if (correlationId === null) return true;
  const { generatedAt } = aiAnalysis;
  const care = await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, correlationId).catch(() => null);
  if ((care?.body.verdict?.at ?? 0) >= generatedAt) return false;
  return !(await hasLaterCause(ports, event, generatedAt).catch(() => false));
};

/**
 * The event with its analysis: one that has none yet, or an old one, is analysed now, and what is found is sent to its owner without
 * waiting. While a store fails, the event is shown without.
 */
export const withAnalysis = async (ports: Ports, event: Event): Promise<Event> =>
  (await isUpToDate(ports, event)) ? event : analysedNow(ports, event).catch(() => event);
