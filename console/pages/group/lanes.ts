import type { MemberData } from '#console/api/group-parts.ts';
import { hostOf } from '#console/text/event-text.ts';
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
/** Epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const laneId = ({ ciId, hostname }: MemberData): string => ciId?._id ?? hostname ?? '';

const worstLast = (a: Mark, b: Mark): number => severityRank(a.severity) - severityRank(b.severity);

/** An end from another clock may be before the start. */
const spanOf = ({ firstOccurrence, status, resolvedAt, lastOccurrence }: MemberData, now: number): Span => {
  const from = Date.parse(firstOccurrence);
  return { from, to: status === 'resolved' ? Math.max(from, Date.parse(resolvedAt ?? lastOccurrence)) : now };
};

/** The time that lanes show: from the first member to the last end. */
export const lanesSpan = (members: readonly MemberData[], now: number): Span => {
  if (members.length === 0) return { from: now, to: now };
  const spans = members.map((member) => spanOf(member, now));
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
};

/** One lane for each CI: that of the cause first, then by their first event. */
export const lanesOf = (members: readonly MemberData[], cause: string | null, now: number): Lane[] => {
  const { from: first, to: last } = lanesSpan(members, now);
  const length = Math.max(1, last - first);
  const lanes = new Map<string, { name: string; start: number; marks: Mark[] }>();
  for (const member of members) {
    const { from, to } = spanOf(member, now);
    const id = laneId(member);
    const lane = lanes.get(id) ?? { name: hostOf(member), start: from, marks: [] };
    lanes.set(id, lane);
    lane.start = Math.min(lane.start, from);
    const { eventId, title, severity } = member;
    lane.marks.push({ eventId, title, severity, from: (from - first) / length, to: (to - first) / length });
  }
  return (
    [...lanes]
      .sort(([a, one], [b, other]) => Number(b === cause) - Number(a === cause) || one.start - other.start)
      // Marks overlap: the worst is drawn last.
      .map(([id, { name, marks }]) => ({ id, name, marks: marks.toSorted(worstLast) }))
  );
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];
const MAX_TICKS = 4;

/** Round times within a span, at most four; of a longer one the ends of equal parts. */
export const ticksOf = ({ from, to }: Span): number[] => {
  const step = STEPS.find((one) => (to - from) / one <= MAX_TICKS) ?? Math.ceil((to - from) / MAX_TICKS);
  const first = Math.ceil(from / step) * step;
  const ticks = Array.from({ length: MAX_TICKS + 1 }, (_, at) => first + at * step);
  return ticks.filter((at) => at <= to).slice(0, MAX_TICKS);
};
