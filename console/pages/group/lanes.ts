import type { MemberShown } from '#console/api/group-parts.ts';
import { type Severity, severityRank } from '#domain/event/event.ts';

interface Mark {
  readonly eventId: string;
  readonly title: string;
  readonly severity: Severity;
  /** Share of the time shown, 0 to 1. */
  readonly from: number;
  readonly to: number;
}
export interface Lane {
  readonly id: string;
  readonly name: string;
  readonly marks: readonly Mark[];
}

const laneId = ({ ciId, hostname }: MemberShown): string => ciId?._id ?? hostname ?? '';
const laneName = ({ ciId, hostname }: MemberShown): string => ciId?.name ?? hostname ?? 'no host';

const worstLast = (a: Mark, b: Mark): number => severityRank(a.severity) - severityRank(b.severity);

/** One lane for each CI: that of the cause first, then by their first event; `most` of them. */
export const lanesOf = (members: readonly MemberShown[], cause: string | null, now: number, most: number): Lane[] => {
  const starts = members.map(({ firstOccurrence }) => Date.parse(firstOccurrence));
  const ends = members.map(({ status, resolvedAt, lastOccurrence }) =>
    status === 'resolved' ? Date.parse(resolvedAt ?? lastOccurrence) : now,
  );
  const first = Math.min(...starts);
  const length = Math.max(1, Math.max(...ends) - first);
  const lanes = new Map<string, { name: string; start: number; marks: Mark[] }>();
  for (const [at, member] of members.entries()) {
    const [start, end] = [starts[at] as number, ends[at] as number];
    const id = laneId(member);
    const lane = lanes.get(id) ?? { name: laneName(member), start, marks: [] };
    lanes.set(id, lane);
    lane.start = Math.min(lane.start, start);
    const { eventId, title, severity } = member;
    lane.marks.push({
      eventId,
      title,
      severity,
      from: (start - first) / length,
      to: (Math.max(start, end) - first) / length,
    });
  }
  return (
    [...lanes]
      .sort(([a, one], [b, other]) => Number(b === cause) - Number(a === cause) || one.start - other.start)
      .slice(0, most)
      // Marks lie over each other: the worst is drawn last.
      .map(([id, { name, marks }]) => ({ id, name, marks: marks.toSorted(worstLast) }))
  );
};
