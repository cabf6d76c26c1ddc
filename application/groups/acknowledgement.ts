import type { TimedContext } from '#application/access/context.ts';
import { readAfter } from '#application/records/read-after.ts';
import {
  type Acknowledgement,
  countOn,
  GROUP_CARE,
  type GroupAssignment,
  type ListedGroup,
  ON,
} from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Actor } from '#domain/event/event.ts';
import { isOvertaken } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** Changes of one group that cross each other this often are none any more. */
const TRIES = 5;
/** Members that are on whose services are looked up. */
const MEMBERS = 1_000;

/** Ids of the services with one of the CIs as a component. */
export async function servicesOn(
  { tenant, ports, receivedAt }: TimedContext,
  ciIds: Iterable<string>,
): Promise<string[]> {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const ids = new Set([...ciIds].flatMap((ciId) => byCi.get(ciId) ?? []).map(({ id }) => id));
  return [...ids].sort();
}

/** Events of the group that are on, the newest. */
export const onIn = async (
  { tenant, ports }: TimedContext,
  { id, aliases }: Group,
  statuses: typeof ON | ['open'] = ON,
) =>
  (
    await ports.events.part(
      tenant,
      { correlationIds: [id, ...aliases], statuses },
      { sort: 'timestamp', order: 'desc', limit: MEMBERS },
    )
  ).items;

/** Returns the current acknowledgment of the group; undefined: no active member. */
export async function acknowledgementOf(
  asking: TimedContext,
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
  ) => Promise<Acknowledgement | undefined | null> | Acknowledgement | undefined | null;
  /** Stored with it. */
  readonly sideRecords?: (before: GroupAssignment, after: GroupAssignment) => readonly SideRecord[];
}

/** Changes the acknowledgment of a group, by its current id; returns true if it did. */
export async function changeAcknowledgement(
  { tenant, ports }: TimedContext,
  id: string,
  { change, sideRecords }: AcknowledgementChange,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const stored = await ports.records.get<GroupAssignment>(tenant, GROUP_CARE, id);
    const { acknowledged: before, ...rest } = stored?.body ?? {};
    const acknowledged = await change(before);
    if (acknowledged === null || sameJson(acknowledged ?? null, before ?? null)) return false;
    const after: GroupAssignment = { ...rest, ...(acknowledged && { acknowledged }) };
    const kept = sideRecords?.({ ...rest, ...(before && { acknowledged: before }) }, after) ?? [];
    try {
      await ports.records.put(tenant, GROUP_CARE, id, after, { expected: stored?.revision ?? 0, sideRecords: kept });
    } catch (error) {
      if (!isOvertaken(error) || tries === TRIES) throw error;
      continue;
    }
    await readAfter(() => ports.groupRows.refresh(tenant, [id]), undefined);
    ports.live.recordChanged(tenant, 'group', id);
    return true;
  }
}
