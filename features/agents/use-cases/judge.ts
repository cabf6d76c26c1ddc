import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { pagesOf } from '#application/records/list-records.ts';
import { aiSettings, storeCalibrated } from '#application/records/tenant-settings.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { PartRequest } from '#domain/page.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Label } from '#features/agents/rules/agents.ts';
import { changeConfidence, changeOutcome, forecastOutcome, groupOutcome } from '#features/agents/rules/outcomes.ts';
import { thresholdFor } from '#features/agents/rules/performance.ts';
import { latestAssessments, type StoredAssessment } from '#features/change-risk/use-cases/assessment-records.ts';
import { hasFailed } from '#features/change-risk/use-cases/earlier-changes.ts';
import {
  eventsIn,
  FORECAST_CONFIDENCE,
  hasOutcome,
  labelsOf,
  type StoredForecast,
  storedForecasts,
  storeLabel,
} from './records.ts';

const DAY_MS = 86_400_000;
/** Delay between the end of a group, change or forecast and its judgment. */
const SETTLED_MS = DAY_MS;
const PAGE = 100;
/** Maximum number of groups per tenant and run. */
const MOST = 1_000;
const MEMBERS = 500;
const SPAN_MS = 90 * DAY_MS;

const CURSOR_KIND = 'agent-cursor';
const GROUPS = 'groups';
interface Cursor {
  /** Groups whose last event is before this time have been judged, ms. */
  readonly through: number;
}

/** Stores the judgment of a decision by its outcome. */
const storeOutcome = (
  { records, clock }: Ports,
  tenant: string,
  label: Omit<Label, 'user' | 'note' | 'at'>,
): Promise<void> => storeLabel(records, tenant, { ...label, user: null, note: null, at: clock.now() });

async function judgeGroup(ports: Ports, { tenant, id, aliases, candidate }: Group): Promise<void> {
  if (candidate === null) return;
  const filter = { correlationIds: [id, ...aliases] };
  const { items, total } = await ports.events.find(tenant, filter, { sort: 'timestamp', order: 'asc', limit: MEMBERS });
  const verdict = total > MEMBERS ? null : groupOutcome(candidate.eventId, items);
  const subject = { kind: 'group', id } as const;
  if (verdict !== null)
    await storeOutcome(ports, tenant, { agent: 'root-cause', subject, confidence: candidate.confidence, verdict });
}

/** Judges groups without events for a day, each once; the stored cursor lets the next run continue. */
async function judgeGroups(ports: Ports, tenant: string, isStopping: () => boolean): Promise<void> {
  const now = ports.clock.now();
  const known = (await ports.records.get<Cursor>(tenant, CURSOR_KIND, GROUPS))?.body.through;
  const from = known ?? now - SPAN_MS;
  let [through, judged] = [from, 0];
  const read = (page: PartRequest) =>
    ports.correlation.groups(tenant, { from, to: now - SETTLED_MS }, { sort: 'last', order: 'asc', ...page });
  for await (const groups of isStopping() ? [] : pagesOf(PAGE, read)) {
    const over = groups.filter(({ last }) => last <= now - SETTLED_MS);
    for (const group of over) await judgeGroup(ports, group);
    through = Math.max(through, over.at(-1)?.last ?? through);
    judged += over.length;
    if (over.length < groups.length || judged >= MOST || isStopping()) break;
  }
  if (through > from || known === undefined)
    await ports.records.put<Cursor>(tenant, CURSOR_KIND, GROUPS, { through: through + 1 });
}

async function judgeChange(ports: Ports, tenant: string, assessment: StoredAssessment): Promise<void> {
  const { id, probability, plannedAt } = assessment;
  if (probability === undefined || plannedAt === null) return;
  const subject = { kind: 'assessment', id } as const;
  if (await hasOutcome(ports.records, tenant, 'change-risk', subject)) return;
  const verdict = changeOutcome(probability, await hasFailed(ports, tenant, { ...assessment, plannedAt }));
  const confidence = changeConfidence(probability);
  await storeOutcome(ports, tenant, { agent: 'change-risk', subject, confidence, verdict });
}

async function judgeChanges(ports: Ports, tenant: string, isStopping: () => boolean): Promise<void> {
  const now = ports.clock.now();
  for (const assessment of await latestAssessments(ports.records, tenant)) {
    if (isStopping()) return;
    const { plannedAt } = assessment;
    const isOver = plannedAt !== null && plannedAt + SETTLED_MS <= now && plannedAt > now - SPAN_MS;
    if (isOver) await judgeChange(ports, tenant, assessment);
  }
}

async function judgeForecast(ports: Ports, tenant: string, forecast: StoredForecast): Promise<void> {
  const subject = { kind: 'forecast', id: forecast.id } as const;
  if (await hasOutcome(ports.records, tenant, 'capacity', subject)) return;
  const verdict = forecastOutcome(await eventsIn(ports, tenant, forecast), forecast);
  await storeOutcome(ports, tenant, { agent: 'capacity', subject, confidence: FORECAST_CONFIDENCE, verdict });
}

async function judgeForecasts(ports: Ports, tenant: string): Promise<void> {
  const now = ports.clock.now();
  for (const forecast of await storedForecasts(ports.records, tenant))
    if (forecast.to + SETTLED_MS <= now) await judgeForecast(ports, tenant, forecast);
}

/** Sets the lowest confidence of a root cause, so that the error rate stays within the tenant's limit. */
async function calibrate({ records, clock }: Ports, tenant: string): Promise<void> {
  const { maxError, abstainBelow } = await aiSettings(records, tenant);
  if (maxError === null) return storeCalibrated(records, tenant, null);
  const threshold = thresholdFor(await labelsOf(records, tenant, 'root-cause', clock.now() - SPAN_MS), maxError);
  if (threshold !== abstainBelow) await storeCalibrated(records, tenant, threshold);
}

/** Judges all decisions that are due, in all tenants. Throws at the end if a tenant failed. */
export const judgeDecisions = (ports: Ports, isStopping: () => boolean): Promise<void> =>
  eachActiveTenant(
    ports.records,
    { isStopping, failed: (count) => `Couldn't evaluate decisions of ${count} tenants` },
    async (tenant) => {
      await judgeGroups(ports, tenant, isStopping);
      await judgeChanges(ports, tenant, isStopping);
      await judgeForecasts(ports, tenant);
      await calibrate(ports, tenant);
    },
  );
