import { itemAt } from '#domain/known.ts';
import { type Story, tellStory } from '#features/demo/rules/story.ts';
import { openProgress } from '#infra/cli/terminal/progress.ts';
import type { Screen } from '#infra/cli/terminal/screen.ts';
import { type AnalysedGroup, analysedGroup } from './analysed.ts';
import { readOutcome, sendAll } from './replay.ts';
import { type DemoReport, reportOf } from './report.ts';
import { type DemoProfile, type DemoTenant, loadEstate, makeTenant, type ServerAccess } from './tenant.ts';

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
  /** Of the first profile. */
  readonly analysed: AnalysedGroup | null;
  /** In the order of the profiles. */
  readonly reports: readonly DemoReport[];
}

/** Unique per run as far as clocks are. */
const tenantId = (now: number, profile: DemoProfile): string => `demo-${now.toString(36)}-${profile}`;

/** One tenant per profile sees the same estate and the same traffic; tenants are independent, so they go at the same time. */
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
  await Promise.all(tenants.map(({ client }) => loadEstate(client, story.estate, loading.step)));
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
