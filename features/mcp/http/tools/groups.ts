import { z } from 'zod';
import { explainEvents } from '#api/events/explain.ts';
import { acknowledgeGroups, getGroup } from '#api/groups/endpoints.ts';
import { noteGroup } from '#api/groups/group-actions.ts';
import { groupTimeline } from '#api/groups/group-timeline.ts';
import { listGroups } from '#api/groups/list-groups.ts';
import { isBeyond, quoted, tool } from '#api/surfaces/tool.ts';
import { GROUP_STATUSES } from '#domain/correlation/grouping/group-state.ts';
import { Fault } from '#domain/fault.ts';
import {
  ci,
  counted,
  eventId,
  found,
  given,
  groupId,
  joined,
  lines,
  link,
  percent,
  rows,
  severities,
  text,
  timeRange,
  total,
  truncated,
  utc,
} from './fields.ts';

const Names = z.object({ names: z.array(z.string()), count: z.int() });
const Counts = z.object({
  open: z.int(),
  acknowledged: z.int(),
  suppressed: z.int(),
  resolved: z.int(),
});
const Person = z.object({ name: z.string() });

const row = {
  correlationId: z.string(),
  title: z.string().nullable().describe('Title of the probable root cause'),
  status: z.string(),
  severity: z.string().nullable(),
  eventCount: z.int(),
  timeSpan: z.object({ start: z.string(), end: z.string() }),
  servicesHit: Names,
  assignedTo: Person.nullable(),
  link,
};
const GroupRow = z.object({
  ...row,
  cis: Names,
  rootCauseCandidate: z.object({ eventId: z.string(), confidence: z.number() }).nullable(),
});
type GroupRow = z.output<typeof GroupRow>;

interface ShownGroups {
  readonly groups: readonly { readonly correlationId: string }[];
}
interface OneGroup {
  readonly group: { readonly correlationId: string };
}

/** Lowest confidence of a probable root cause. */
const PROBABLE = 0.4;
const causeWords = (title: string | null, confidence: number | undefined): string => {
  if (title === null || confidence === undefined) return 'no root cause identified';
  const how = confidence < PROBABLE ? 'possible root cause, low confidence' : 'probable root cause';
  return `${how} ${quoted(title)} (${percent(confidence)} confidence)`;
};

const rowWords = ({
  correlationId,
  status,
  severity,
  title,
  eventCount,
  servicesHit,
  timeSpan,
  rootCauseCandidate,
  cis,
}: GroupRow) => {
  const services = servicesHit.count === 0 ? '' : `; affected services: ${servicesHit.names.map(quoted).join(', ')}`;
  const cause = causeWords(title, rootCauseCandidate?.confidence);
  return `${correlationId}: ${severity ?? 'unknown severity'}, ${status}, ${counted(eventCount, 'event')} on ${counted(cis.count, 'CI')} since ${utc(timeSpan.start)}; ${cause}${services}`;
};

const listing = tool({
  name: 'list_groups',
  title: 'List groups',
  description:
    'Lists correlation groups, most urgent first: what is wrong now, its probable root cause and the affected services. Default: groups that are not resolved.',
  endpoint: listGroups,
  input: z.strictObject({
    status: z.array(z.enum(GROUP_STATUSES)).min(1).optional().describe('Default: active, acknowledged'),
    severity: severities.optional(),
    service: text.optional().describe('Service name on events'),
    host: text.optional(),
    ci: ci.optional(),
    search: text.optional().describe('Words in the title or description of a member'),
    time_range: timeRange.optional(),
    limit: rows(25, 10),
  }),
  output: z.object({ groups: z.array(GroupRow), total, truncated }),
  async run({ ask, ciNamed, link: linkTo }, { status, severity, ci: named, time_range: range, limit, ...words }) {
    const query = given({
      ...words,
      status: joined(status ?? GROUP_STATUSES.filter((one) => one !== 'resolved')),
      severity: joined(severity),
      ci: named === undefined ? undefined : await ciNamed(named),
      timeRange: range,
      limit: String(limit),
      view: 'row',
    });
    const { body, total: all } = await ask(listGroups, { query });
    const groups = (body as ShownGroups).groups.map((one) => ({
      ...one,
      link: linkTo(`/ui/groups/${one.correlationId}`),
    }));
    return { groups, total: all, truncated: isBeyond(groups, all) };
  },
  tell: ({ groups, total: all }) => lines(found('group', groups, all), groups.map(rowWords)),
});

const TIMELINE = 20;
const EXPLAINED = 10;
const Moment = z.object({ at: z.string(), kind: z.string(), text: z.string() });
const Cause = z.object({
  event: z.object({ eventId: z.string(), title: z.string(), severity: z.string(), timestamp: z.string() }),
  ci: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
  confidence: z.number(),
  reasoning: z.string(),
  parts: z.record(z.string(), z.number()).nullable().describe('Score components'),
  alternatives: z.array(
    z.object({ eventId: z.string(), title: z.string().nullable(), ciName: z.string().nullable(), score: z.number() }),
  ),
  explains: z.array(z.object({ name: z.string().nullable(), hops: z.int() })),
});
const Analysis = z.object({ rootCauseHypothesis: z.string(), recommendedActions: z.array(z.string()) });
const Group = z.object({
  ...row,
  summary: z.string(),
  counts: Counts,
  cause: Cause.nullable(),
  impactedServices: z.array(z.object({ name: z.string(), criticality: z.string(), impact: z.string() })),
  acknowledgedBy: Person.nullable(),
  notes: z.array(z.object({ at: z.string(), by: Person, text: z.string() })),
  aiAnalysis: Analysis.optional(),
});

const PARTS: Readonly<Record<string, string>> = {
  coverage: 'coverage',
  earliness: 'earliness',
  severity: 'severity',
  knownPattern: 'known pattern',
};

const whyWords = ({ ci: at, reasoning, parts, explains, alternatives }: z.output<typeof Cause>): string[] => [
  `Why: ${reasoning.replaceAll('_', ' ')}${at === null ? '' : ` on ${quoted(at.name)} (${at.type})`}`,
  ...(parts === null
    ? []
    : [
        `Score components: ${Object.entries(parts)
          .map(([name, share]) => `${PARTS[name] ?? name} ${share.toFixed(2)}`)
          .join(', ')}`,
      ]),
  ...(explains.length === 0
    ? []
    : [
        `Explains events on: ${explains.map(({ name, hops }) => `${quoted(name ?? 'a deleted CI')} (${counted(hops, 'hop')})`).join(', ')}`,
      ]),
  ...alternatives.map(
    ({ eventId: other, title, ciName, score }) =>
      `Alternative: ${quoted(title ?? other)}${ciName === null ? '' : ` on ${quoted(ciName)}`}, score ${score.toFixed(2)}, ${other}`,
  ),
];

const getting = tool({
  name: 'get_group',
  title: 'Get a group',
  description:
    'One group in full: probable root cause with confidence and reasoning, alternatives, affected services, notes and timeline. Accepts IDs from before a merge.',
  endpoint: getGroup,
  input: z.strictObject({ group: groupId }),
  output: z.object({ group: Group, timeline: z.array(Moment), truncated }),
  async run({ ask, link: linkTo }, { group: correlationId }) {
    const params = { correlationId };
    const shown = (await ask(getGroup, { params })).body as OneGroup & {
      readonly group: { readonly cause: object | null };
    };
    const { group } = shown;
    const told = (await ask(groupTimeline, { params, query: { limit: String(TIMELINE) } })).body as {
      readonly timeline: readonly unknown[];
      readonly nextCursor: string | null;
      readonly truncated: boolean;
    };
    const cause = group.cause as { readonly explains: readonly unknown[] } | null;
    return {
      group: {
        ...group,
        cause: cause && { ...cause, explains: cause.explains.slice(0, EXPLAINED) },
        link: linkTo(`/ui/groups/${group.correlationId}`),
      },
      timeline: told.timeline,
      truncated: told.truncated || told.nextCursor !== null,
    };
  },
  tell({ group, timeline }) {
    const { cause, impactedServices, notes, aiAnalysis, acknowledgedBy, assignedTo } = group;
    const first = `${group.correlationId} is ${group.status}: ${causeWords(cause?.event.title ?? null, cause?.confidence)}.`;
    const care = [
      ...(acknowledgedBy === null ? [] : [`Acknowledged by ${quoted(acknowledgedBy.name)}`]),
      assignedTo === null ? 'Unassigned' : `Assigned to ${quoted(assignedTo.name)}`,
    ];
    const { open, acknowledged, suppressed, resolved } = group.counts;
    return lines(first, [
      `Summary: ${quoted(group.summary)}`,
      `Events: ${open} open, ${acknowledged} acknowledged, ${suppressed} suppressed, ${resolved} resolved`,
      ...care,
      ...(cause === null
        ? []
        : [
            `Root-cause event: ${cause.event.eventId}, ${cause.event.severity}, ${utc(cause.event.timestamp)}`,
            ...whyWords(cause),
          ]),
      ...impactedServices.map(
        ({ name, criticality, impact }) =>
          `Affected service: ${quoted(name)} (${criticality}), ${impact.replaceAll('_', ' ')}`,
      ),
      ...(aiAnalysis === undefined
        ? []
        : [
            `Analysis: ${quoted(aiAnalysis.rootCauseHypothesis)}`,
            ...aiAnalysis.recommendedActions.map((action) => `Recommended: ${quoted(action)}`),
          ]),
      ...notes.map(({ at, by, text: note }) => `Note by ${quoted(by.name)}, ${utc(at)}: ${quoted(note)}`),
      ...timeline.map(({ at, kind, text: what }) => `${utc(at)} ${kind.replaceAll('_', ' ')}: ${quoted(what)}`),
      `Link: ${group.link}`,
    ]);
  },
});

const Strategy = z.object({
  strategy: z.string(),
  score: z.number(),
  threshold: z.number(),
  joined: z.boolean(),
  reason: z.string(),
});

const explaining = tool({
  name: 'explain',
  title: 'Explain two events',
  description:
    'Explains why two events are or are not in the same group: the score of each correlation strategy and what blocked the link.',
  endpoint: explainEvents,
  input: z.strictObject({ event: eventId, other: eventId }),
  output: z.object({
    together: z.boolean(),
    correlationId: z.string().nullable(),
    manual: z.boolean().describe('Merged manually'),
    strategies: z.array(Strategy),
    refusedReason: z.string().nullable(),
    notCompared: z.object({ reason: z.string() }).nullable(),
    usual: z.array(z.object({ eventId: z.string(), reason: z.string() })).describe('Recurring events'),
  }),
  run: async ({ ask }, { event, other }) =>
    (await ask(explainEvents, { params: { eventId: event }, query: { with: other } })).body,
  tell: ({ together, correlationId, manual, strategies, refusedReason, notCompared, usual }) =>
    lines(
      together
        ? `Both events are in group ${correlationId}${manual ? ', merged manually' : ''}.`
        : 'The events are not in the same group.',
      [
        ...(refusedReason === null ? [] : [`Blocked: ${refusedReason}`]),
        ...(notCompared === null ? [] : [`Not compared: ${notCompared.reason}`]),
        ...strategies.map(
          ({ strategy, score, threshold, joined: isJoined, reason }) =>
            `${strategy}: score ${score.toFixed(2)}, threshold ${threshold.toFixed(2)}, ${isJoined ? 'joins' : 'does not join'}; ${reason}`,
        ),
        ...usual.map(({ eventId: id, reason }) => `Recurring: ${id}, ${reason}`),
      ],
    ),
});

interface OperationResult {
  readonly results: readonly {
    readonly id: string;
    readonly changed: number;
    readonly queued: boolean;
    readonly error: string | null;
  }[];
}

const acknowledging = tool({
  name: 'acknowledge_group',
  title: 'Acknowledge a group',
  description:
    'Acknowledges the open events of one group as the owner of the credential. Recorded in the audit log; can be undone for 10 minutes in the console.',
  endpoint: acknowledgeGroups,
  isWriting: true,
  input: z.strictObject({ group: groupId, note: z.string().trim().min(1).max(4_096).optional() }),
  output: z.object({ group: z.string(), changed: z.int(), queued: z.boolean().describe('Logged, not yet applied') }),
  async run({ ask }, { group, note }) {
    const { body } = await ask(acknowledgeGroups, { body: given({ ids: [group], notes: note }) });
    const [done] = (body as OperationResult).results;
    if (done === undefined || done.error !== null)
      throw new Fault('not-found', done?.error ?? `Group ${group} was not found`);
    return { group, changed: done.changed, queued: done.queued };
  },
  tell: ({ group, changed, queued }) =>
    queued
      ? `The acknowledgement of group ${group} is queued.`
      : `Acknowledged group ${group}: ${counted(changed, 'event')} changed.`,
});

const noting = tool({
  name: 'note_group',
  title: 'Add a note to a group',
  description: 'Adds a note to one group as the owner of the credential. Recorded in the audit log.',
  endpoint: noteGroup,
  isWriting: true,
  input: z.strictObject({ group: groupId, text: z.string().trim().min(1).max(4_096) }),
  output: z.object({ group: z.string(), notes: z.int().describe('Number of notes on the group') }),
  async run({ ask }, { group: correlationId, text: note }) {
    const { body } = await ask(noteGroup, { params: { correlationId }, body: { text: note } });
    const { group } = body as {
      readonly group: { readonly correlationId: string; readonly notes: readonly unknown[] };
    };
    return { group: group.correlationId, notes: group.notes.length };
  },
  tell: ({ group, notes }) => `Added the note to group ${group}, which has ${counted(notes, 'note')}.`,
});

export const groupTools = [listing, getting, explaining];
export const groupActionTools = [acknowledging, noting];
