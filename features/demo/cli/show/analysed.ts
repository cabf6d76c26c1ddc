import type { AnalysisReply, EventDetailReply } from '#infra/cli/client/replies.ts';
import type { DemoReport, GroupLine } from './report.ts';
import type { DemoTenant } from './tenant.ts';

/** A group of the demo with what the analysis of its cause says. */
export interface AnalysedGroup {
  readonly correlationId: string;
  readonly events: number;
  readonly eventId: string;
  readonly analysis: AnalysisReply;
}

/** The largest that is mostly one incident. */
const telling = ({ groups }: DemoReport): GroupLine | undefined =>
  groups
    .filter(({ rootCause, truth }) => rootCause !== null && truth[0]?.incident)
    .sort((a, b) => b.events - a.events)[0];

/** One group with its analysis, as people would read it; null when there is none. */
export const analysedGroup = async ({ client }: DemoTenant, report: DemoReport): Promise<AnalysedGroup | null> => {
  const group = telling(report);
  if (!group?.rootCause) return null;
  const { eventId } = group.rootCause;
  const { event } = await client.get<EventDetailReply>(`/api/events/${eventId}`);
  const { correlationId, events } = group;
  return event.aiAnalysis === undefined ? null : { correlationId, events, eventId, analysis: event.aiAnalysis };
};
