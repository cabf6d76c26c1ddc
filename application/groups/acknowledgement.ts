import type { UseCaseContext } from '#application/access/context.ts';
import {
  type Acknowledgement,
  countOn,
  GROUP_CARE,
  type GroupCare,
  type ListedGroup,
  ON,
} from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Actor } from '#domain/event/event.ts';
import { isOvertaken } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { findGroup } from './find-group.ts';

/** Changes of one group that cross each other this often are none any more. */
const TRIES = 5;
/** Members that are on whose services are looked up. */
const MEMBERS = 1_000;

export type StandingAsked = Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>;

/** Ids of the services with one of the CIs as a component. */
export async function servicesOn(
  { tenant, ports, receivedAt }: StandingAsked,
  ciIds: Iterable<string>,
): Promise<string[]> {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const ids = new Set([...ciIds].flatMap((ciId) => byCi.get(ciId) ?? []).map(({ id }) => id));
  return [...ids].sort();
}

/** Events of the group that are on, the newest. */
export const onIn = async (
  { tenant, ports }: StandingAsked,
  { id, aliases }: Group,
  statuses: typeof ON | ['open'] = ON,
) =>
  (
    await ports.events.find(
      tenant,
      { correlationIds: [id, ...aliases], statuses },
      { sort: 'timestamp', order: 'desc', limit: MEMBERS },
    )
  ).items;

/** The acknowledgement of the group as it is now; undefined: nothing of it is on. */
export async function acknowledgementOf(
  asking: StandingAsked,
  { group, state }: ListedGroup,
  { by, at }: { readonly by: Actor | null; readonly at: number },
): Promise<Acknowledgement | undefined> {
  if (countOn(state.counts) === 0) return undefined;
  const events = await onIn(asking, group);
  const services = await servicesOn(
    asking,
    events.flatMap(({ ci }) => ci?.id ?? []),
  );
  return { by, at, severity: state.severity, services };
}

export interface AcknowledgementChange {
  /** Null: nothing changes. Undefined: there is none then. */
  readonly change: (
    before: Acknowledgement | undefined,
    row: ListedGroup,
  ) => Promise<Acknowledgement | undefined | null> | Acknowledgement | undefined | null;
  /** Kept with it. */
  readonly sideRecords?: (before: GroupCare, after: GroupCare) => readonly SideRecord[];
}

/** Changes who has acknowledged a group: whether it did. Throws Fault `not-found`. */
export async function changeAcknowledgement(
  { tenant, ports }: StandingAsked,
  id: string,
  { change, sideRecords }: AcknowledgementChange,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const row = await findGroup(ports, tenant, id);
    const { group } = row;
    const stored = await ports.records.get<GroupCare>(tenant, GROUP_CARE, group.id);
    const { acknowledged: before, ...rest } = stored?.body ?? row.care;
    const acknowledged = await change(before, row);
    if (acknowledged === null || sameJson(acknowledged ?? null, before ?? null)) return false;
    const after: GroupCare = { ...rest, ...(acknowledged && { acknowledged }) };
    const kept = sideRecords?.({ ...rest, ...(before && { acknowledged: before }) }, after) ?? [];
    try {
      await ports.records.put(tenant, GROUP_CARE, group.id, after, {
        expected: stored?.revision ?? 0,
        sideRecords: kept,
      });
      await ports.groupRows.refresh(tenant, [group.id]);
      ports.live.recordChanged(tenant, 'group', group.id);
      return true;
    } catch (error) {
      if (!isOvertaken(error) || tries === TRIES) throw error;
    }
  }
}
