import { plainTexts } from '#domain/event/identity/complaint.ts';
import type { Complaint } from '#domain/event/identity/complaint-kinds.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { type ComplaintTopic, TOPICS } from './topics.ts';

/** Of an event: it is the cause, it lies below one, or neither is known. */
export type Position = 'cause' | 'below' | 'alone';

const BY_PATTERN: Readonly<Record<KnownPattern, string>> = {
  host_down: 'Check power, console and network of the host, then start it or fail over.',
  link_down: 'Check cable, port and the other end of the link, and whether a second way carries the traffic.',
  power: 'Check supply, UPS and circuit of the rack before anything that it feeds.',
  disk_full: 'Free or add disk space: look at logs, temporary files and snapshots first.',
  database_down: 'Check process, storage and locks of the database, then its clients.',
  out_of_memory: 'Look at which process grew, restart it, and compare its limit with what it needs.',
  dns: 'Resolve the names by hand against each name server, and check zone and forwarders.',
  change: 'Compare with the state before the change, and undo it if the trouble began with it.',
};

const BY_KIND: Readonly<Record<Complaint['kind'], string>> = {
  down: 'Check whether it runs and answers: process, host, network, in this order.',
  errors: 'Read the newest errors in its log, and compare with the last release.',
  latency: 'Look at load, slow queries and saturation of what it calls.',
  traffic: 'Compare with the usual traffic at this hour, and check who sends it.',
  unknown: 'Look at the thing itself: what the monitor measured, and whether it still holds.',
};

/** Below a cause there is little to repair. */
const BELOW: Readonly<Record<Complaint['kind'], string>> = {
  down: 'Do not restart it before the cause is gone; then check that it comes back by itself.',
  errors: 'Expect the errors to end with the cause; look again when it is resolved.',
  latency: 'Expect it to be fast again with the cause; look again when it is resolved.',
  traffic: 'Expect the traffic to return with the cause, maybe as a rush of retries.',
  unknown: 'Look again when the cause is resolved.',
};

const topicOf = (title: string): ComplaintTopic | undefined => {
  const texts = plainTexts(title);
  return TOPICS.find(({ pattern }) => texts.some((text) => pattern.test(text)));
};

interface Complaining {
  readonly title: string;
  readonly complaint: Complaint;
}

/** Advice by complaint and place. */
export const adviceFor = ({ title, complaint: { kind, known } }: Complaining, position: Position): string => {
  const topic = known === null ? topicOf(title) : undefined;
  if (position === 'below' && topic?.isLocal !== true) return BELOW[kind];
  return known === null ? (topic?.advice ?? BY_KIND[kind]) : BY_PATTERN[known];
};
