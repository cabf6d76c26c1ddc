import { firstArrival } from '#application/events/first-arrival.ts';
import { membersOf } from '#application/events/group-membership.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import { CHANGE_MS } from '#features/investigations/rules/findings.ts';
import type { CauseHypothesis, GroupScene } from '#features/investigations/rules/investigation.ts';
import type { InvestigationAsking } from './checks/asking.ts';
import type { BegunInvestigation } from './first-sentence.ts';
import { nearChanges } from './near-changes.ts';

/** Maximum number of members to read, and of their CIs to search for changes. */
const MEMBERS = 1_000;
const MEMBER_CIS = 100;
/** Tolerance for changes that are reported after their effects. */
const SLACK_MS = 2 * 60_000;

const hitBy = (members: readonly Event[]): GroupScene['hit'] => {
  const hit = new Map<string, { readonly name: string; readonly at: number }>();
  for (const { ci, timestamp: at } of members)
    if (ci !== null && !hit.has(ci.id)) hit.set(ci.id, { name: ci.name, at });
  return hit;
};

/** Reads the facts that all checks share. */
export const readScene = async (
  { ports, tenant, receivedAt: now }: InvestigationAsking,
  { row }: BegunInvestigation,
  hypotheses: readonly CauseHypothesis[],
): Promise<GroupScene> => {
  const [members, dataSince, { abstainBelow }] = await Promise.all([
    membersOf(ports, tenant, row.group, MEMBERS),
    firstArrival(ports, tenant),
    aiSettings(ports.records, tenant),
  ]);
  const hit = hitBy(members);
  const own = hypotheses.flatMap(({ ci, reach }) => [...(ci === null ? [] : [ci]), ...reach.needs]);
  const hitCis = [...hit].slice(0, MEMBER_CIS).map(([id, { name }]) => ({ id, name }));
  const first = row.group.first;
  const range = { cis: [...own, ...hitCis], from: first - CHANGE_MS, to: first + SLACK_MS };
  const changes = await nearChanges(ports, tenant, range);
  return { row, members, hit, changes, dataSince, abstainBelow, now };
};
