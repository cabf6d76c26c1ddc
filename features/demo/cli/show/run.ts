import type { AnalysisReply, EventDetailReply } from '#cli/client/replies.ts';
import { openProgress } from '#cli/terminal/progress.ts';
import type { Screen } from '#cli/terminal/screen.ts';
import { itemAt } from '#domain/assert.ts';
import { type Story, tellStory } from '#features/demo/rules/story.ts';
import { readOutcome, sendAll } from './replay.ts';
import { type DemoReport, type GroupLine, reportOf } from './report.ts';
import { type DemoProfile, type DemoTenant, loadInfrastructure, makeTenant, type ServerAccess } from './tenant.ts';

/** A group of the demo with the analysis of its cause. */
interface AnalysedGroup {
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

/** Returns one group with its analysis; null when there is none. */
const analysedGroup = async ({ client }: DemoTenant, report: DemoReport): Promise<AnalysedGroup | null> => {
  const group = telling(report);
  if (!group?.rootCause) return null;
  const { eventId } = group.rootCause;
  const { event } = await client.get<EventDetailReply>(`/api/events/${eventId}`);
  const { correlationId, events } = group;
  return event.aiAnalysis === undefined ? null : { correlationId, events, eventId, analysis: event.aiAnalysis };
};

export const PROFILES: readonly DemoProfile[] = ['calibrated', 'specified'];

export interface DemoOptions {
  readonly seed: number;
  /** Epoch ms at which the story ends. */
  readonly now: number;
  readonly profiles: readonly DemoProfile[];
}

export interface Demonstrated {
  readonly story: Story;
  readonly tenants: readonly DemoTenant[];
  /** Analyzed group of the first profile. */
  readonly analysed: AnalysedGroup | null;
  /** Reports in the order of the profiles. */
  readonly reports: readonly DemoReport[];
}

/** Unique per run as far as clocks are. */
const tenantId = (now: number, profile: DemoProfile): string => `demo-${now.toString(36)}-${profile}`;

/**
 * One tenant per profile with the same infrastructure and the same traffic; tenants are independent, so they run at the
 * same time.
 */
export const demonstrate = async (
  access: ServerAccess,
  options: DemoOptions,
  screen: Screen,
): Promise<Demonstrated> => {
  const { seed, now, profiles } = options;
  const story = tellStory({ seed, now });
  const tenants: DemoTenant[] = [];
  for (const profile of profiles) tenants.push(await makeTenant(access, tenantId(now, profile), profile));
  const recorded = story.estate.links.filter((link) => link.recorded).length;
  const loading = openProgress(screen, 'CIs, relationships', (story.estate.cis.length + recorded) * tenants.length);
  await Promise.all(tenants.map(({ client }) => loadInfrastructure(client, story.estate, loading.step)));
  loading.done();
  const sending = openProgress(screen, 'payloads', story.payloads.length * tenants.length);
  const sent = await Promise.all(tenants.map(({ client }) => sendAll(client, story.payloads, sending.step)));
  sending.done();
  const reports: DemoReport[] = [];
  for (const [at, tenant] of tenants.entries())
    reports.push(await reportOf(tenant, story, await readOutcome(tenant.client), itemAt(sent, at)));
  const [tenant, report] = [tenants[0], reports[0]];
  const analysed = tenant && report ? await analysedGroup(tenant, report) : null;
  return { story, tenants, analysed, reports };
};
