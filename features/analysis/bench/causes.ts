import { candidateOf } from '#domain/correlation/root-cause/candidate.ts';
import { causesOf } from '#domain/correlation/root-cause/causes.ts';
import { NO_ARRIVAL } from '#domain/correlation/window/enrichment.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import { type Event, SEVERITIES } from '#domain/event/event.ts';
import { problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { analyse } from '#features/analysis/rules/analysis.ts';
import type { Case } from '#features/analysis/rules/case.ts';
import { chanceOf } from '../../../bench/chance.ts';

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE_MS = 60_000;
/** What monitors say of symptoms; none names a cause. */
const SYMPTOMS = [
  'Response time above 2 s',
  'HTTP 503 from login',
  'Queue length above 1,000',
  'CPU load is high',
  'Login errors above 5 %',
  'Batch run takes too long',
  'Many requests',
  'Check returned an odd value',
];

const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));
const oneOf = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

/** A symptom on a CI of its own, about the same time as the others. */
const symptom = (random: () => number, group: number, member: number): Event => {
  const timestamp = START + Math.floor(random() * 10 * MINUTE_MS);
  const id = `01${String(group * 100 + member).padStart(24, '0')}`;
  return {
    tenant: 'acme',
    id,
    source: 'zabbix',
    sourceId: id,
    status: 'open',
    identity: id,
    signature: id,
    severity: oneOf(random, SEVERITIES),
    title: oneOf(random, SYMPTOMS),
    timestamp,
    ci: { id: `ci-${id}`, name: `host-${member}`, type: 'server' },
    correlationId: `COR-${group}`,
    conditions: [],
    count: 1,
    firstOccurrence: timestamp,
    lastOccurrence: timestamp,
    tags: [],
    details: {},
    history: [],
    usual: false,
    seen: { bin: 0, bits: 0 },
    createdAt: timestamp,
    updatedAt: timestamp,
    createdPosition: member,
    position: member,
  };
};

/** What the analysis of the group has: members on CIs that have nothing to do with each other, and nothing upstream. */
function caseOf(events: readonly Event[], group: number): Case {
  const { settings } = NO_ARRIVAL;
  const facts = events.map((event) => ({
    arrival: {
      ...NO_ARRIVAL.arrival,
      eventId: event.id,
      position: event.position,
      time: event.timestamp,
      severity: event.severity,
      ciId: event.ci!.id,
      complaint: problemKindOf(event),
    },
    upstream: [],
    weights: settings.rootCause,
  }));
  const candidate = candidateOf(causesOf(facts), { weights: settings.rootCause, profile: settings.profile })!;
  const event = events.find(({ id }) => id === candidate.eventId)!;
  return {
    event,
    complaint: problemKindOf(event),
    kind: complaintKindOf(event),
    isUsual: false,
    judged: null,
    lesson: null,
    learned: null,
    runbook: null,
    ci: event.ci,
    hasRelationships: false,
    score: 0.5,
    abstainBelow: 0.35,
    strangeness: { value: 1, events: 0, episodes: 0, days: 30, run: 1, lastAt: null },
    group: {
      id: `COR-${group}`,
      size: events.length,
      candidate,
      suspects: events.slice(0, 3),
      explained: [],
      byTimeAlone: false,
      isLearning: false,
    },
    changes: [],
    upstream: [],
    related: [],
    resolved: [],
  };
}

/** Share of groups without a cause of which none is named. */
export function abstainedShare(groups: number, seed: number): number {
  const random = chanceOf(seed);
  let abstained = 0;
  for (let group = 0; group < groups; group++) {
    const events = Array.from({ length: between(random, 3, 8) }, (_, member) => symptom(random, group, member));
    if (analyse(caseOf(events, group)).abstained) abstained += 1;
  }
  return abstained / groups;
}
