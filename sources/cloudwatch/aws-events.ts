/** Events of EventBridge that are no alarms: the change, its resource, and whether it is over. */
import { z } from 'zod';
import { isRecord } from '#domain/record-of.ts';
import type { Labels } from '../kit/labels.ts';
import { anything, fields, inner, labels, list, text, time } from '../kit/shapes.ts';
import { toldBy } from '../kit/state-words.ts';
import { first, joined, textOf } from '../kit/text.ts';

const eventShape = z.object({
  'detail-type': text,
  id: text,
  source: text,
  time,
  region: text,
  account: text,
  resources: list,
  detail: anything,
});

/** Any event of EventBridge. */
export const bridgeEvent = (event: Readonly<Record<string, unknown>>) => eventShape.parse(event);
type BridgeEvent = z.output<typeof eventShape>;

/** `passing`: an intermediate step, which is not reported. */
type AwsPhase = 'problem' | 'over' | 'passing' | 'suppressed';

export interface AwsHappening {
  readonly what: string | undefined;
  readonly text: string | undefined;
  /** Stays the same from one event about it to the next; undefined when nothing ends it. */
  readonly key: string | undefined;
  readonly asked: AwsPhase;
  readonly severity?: string | undefined;
  readonly labels?: Labels;
  readonly about?: readonly string[];
}

const detailShape = inner({
  ...fields(text, 'eventTypeCode title state Message description AutoScalingGroupName StatusMessage Description Cause'),
  ...fields(text, 'eventArn statusCode affectedAccount status lastStatus desiredStatus stoppedReason stopCode group'),
  ...fields(text, 'clusterArn taskArn eventType eventName reason build-status result'),
  endTime: time,
  eventDescription: list,
  containers: list,
  findings: list,
});
type Detail = z.output<typeof detailShape>;
const describedShape = inner({ latestDescription: text });
const containerShape = inner({ exitCode: text, reason: text });
const findingShape = inner({
  ...fields(text, 'Id Title Description RecordState'),
  Severity: inner({ Label: text }),
  Workflow: inner({ Status: text }),
  Compliance: inner({ Status: text }),
  Resources: list,
  ProductFields: labels,
});
const resourceShape = inner({ Id: text });

/** States that are left again by themselves. */
const PASSING =
  /^(?:pending|provisioning|activating|deactivating|stopping|deprovisioning|starting|started|queued|submitted|runnable|in_?progress|creating|updating|modifying|building|steady)$/i;

const askedOf = (state: string | undefined): AwsPhase => {
  if (state === undefined) return 'problem';
  if (PASSING.test(state)) return 'passing';
  return toldBy(state) === 'over' ? 'over' : 'problem';
};

/** AWS Health names its events, and reports when they are closed. */
function ofHealth(said: Detail, at: number | undefined): Partial<AwsHappening> {
  if (said.eventArn === undefined) return {};
  const key = joined(['health', said.eventArn, said.affectedAccount], '#');
  const isEnded = said.statusCode === undefined && said.endTime !== undefined && said.endTime <= (at ?? said.endTime);
  return { key, asked: isEnded ? 'over' : askedOf(said.statusCode === 'upcoming' ? undefined : said.statusCode) };
}

/** A task of a service is replaced by another one; a task of its own has run when all of it ended well. */
function ofTask(said: Detail): Partial<AwsHappening> {
  if (said.taskArn === undefined || said.lastStatus === undefined) return {};
  const isOfService = said.group?.startsWith('service:') === true;
  const key = joined(['ecs', said.clusterArn, isOfService ? said.group : said.taskArn], '#');
  const containers = said.containers.slice(0, 20).map((one) => containerShape.parse(one));
  const reason = first(said.stoppedReason, ...containers.map((one) => one.reason));
  const what = joined([said.lastStatus, reason], ': ');
  if (said.lastStatus !== 'STOPPED') return { key, what, asked: said.lastStatus === 'RUNNING' ? 'over' : 'passing' };
  const endedWell = containers.length > 0 && containers.every(({ exitCode }) => exitCode === '0');
  const wasMeant =
    /^(?:ServiceSchedulerInitiated|UserInitiated)$/.test(said.stopCode ?? '') && !FAILED.test(reason ?? '');
  return { key, what, text: reason, asked: endedWell || wasMeant ? 'passing' : 'problem' };
}
const FAILED = /fail|unhealthy|error|unable|out ?of ?memory|timed? ?out/i;

/** A service of ECS reports that it is steady or deployed, or that it has a problem. */
function ofService(said: Detail, about: readonly string[]): Partial<AwsHappening> {
  const { eventType, eventName, reason } = said;
  if (eventType === undefined || eventName === undefined || !/^(?:INFO|WARN|ERROR)$/.test(eventType)) return {};
  const key = joined(['ecs', about[0]], '#');
  const isGood = eventType === 'INFO';
  const asked = !isGood ? 'problem' : /STEADY_STATE$|COMPLETED$/.test(eventName) ? 'over' : 'passing';
  return { key, what: eventName, text: reason, asked };
}

function ofState(said: Detail, { 'detail-type': type }: BridgeEvent, about: readonly string[]): Partial<AwsHappening> {
  const state = first(said.state, said.status, said['build-status'], said.result);
  const [resource, ...more] = about;
  if (state === undefined || resource === undefined || more.length > 0) return { asked: askedOf(state) };
  return { key: joined([type, resource], '#'), asked: askedOf(state) };
}

/** Reads the detail of an event: AWS Health, EC2, ECS, RDS, GuardDuty, builds and jobs. */
function happeningOf(event: BridgeEvent, about: readonly string[]): AwsHappening {
  const said = detailShape.parse(event.detail);
  const { latestDescription } = describedShape.parse(said.eventDescription[0]);
  return {
    what: first(
      said.eventTypeCode,
      said.title,
      said.state,
      said.Message,
      said.AutoScalingGroupName,
      said['build-status'],
    ),
    text: first(
      latestDescription,
      said.description,
      said.Message,
      joined([said.StatusMessage, said.Description, said.Cause], '\n'),
    ),
    key: undefined,
    asked: 'problem',
    ...ofState(said, event, about),
    ...ofHealth(said, event.time),
    ...ofTask(said),
    ...ofService(said, about),
  };
}

/** Findings of Security Hub; each has an id, a title and a state of its own. */
function findingOf(item: unknown): AwsHappening {
  const said = findingShape.parse(item);
  const isOver =
    said.Workflow.Status === 'RESOLVED' || said.RecordState === 'ARCHIVED' || said.Compliance.Status === 'PASSED';
  const about = said.Resources.slice(0, 20).map((one) => resourceShape.parse(one).Id);
  return {
    what: said.Title,
    text: said.Description,
    key: said.Id && `finding#${said.Id}`,
    asked: isOver ? 'over' : said.Workflow.Status === 'SUPPRESSED' ? 'suppressed' : 'problem',
    severity: said.Severity.Label,
    about: about.filter((one) => one !== undefined),
  };
}

/** Returns everything that one event reports. */
export function happeningsOf(event: BridgeEvent, about: readonly string[]): readonly AwsHappening[] {
  const findings = isRecord(event.detail) && Array.isArray(event.detail.findings) ? event.detail.findings : [];
  if (findings.length > 0 && /^Security Hub /.test(event['detail-type'] ?? ''))
    return findings.slice(0, 100).map(findingOf);
  return [happeningOf(event, about)];
}

/** ARNs or ids of the resources of an event. */
export const resourcesOf = ({ resources }: BridgeEvent): readonly string[] =>
  resources
    .slice(0, 20)
    .map((one) => textOf(one))
    .filter((one) => one !== undefined);
