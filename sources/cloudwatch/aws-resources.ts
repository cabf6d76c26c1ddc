/** Resource of an alarm, from the dimensions of its metric. */
import type { Labels } from '../kit/labels.ts';

/** Dimension (lower case) → ARN below `arn:<partition>:<service>:<region>:<account>:`; null: no ARN can be built. */
const RESOURCES: ReadonlyMap<string, readonly [service: string, path: string] | null> = new Map([
  ['instanceid', ['ec2', 'instance/']],
  ['dbinstanceidentifier', ['rds', 'db:']],
  ['dbclusteridentifier', ['rds', 'cluster:']],
  ['cacheclusterid', ['elasticache', 'cluster:']],
  ['functionname', ['lambda', 'function:']],
  ['loadbalancer', ['elasticloadbalancing', 'loadbalancer/']],
  ['targetgroup', null],
  ['loadbalancername', null],
  ['tablename', ['dynamodb', 'table/']],
  ['queuename', ['sqs', '']],
  ['topicname', ['sns', '']],
  ['streamname', ['kinesis', 'stream/']],
  ['volumeid', ['ec2', 'volume/']],
  ['natgatewayid', ['ec2', 'natgateway/']],
  ['filesystemid', ['elasticfilesystem', 'file-system/']],
  ['domainname', ['es', 'domain/']],
  ['bucketname', null],
  ['apiname', null],
  ['autoscalinggroupname', null],
  ['clustername', null],
  ['cluster name', null],
  ['statemachinearn', null],
  ['distributionid', null],
]);
/** Dimensions whose value is a machine, or identifies one. */
const HOSTS =
  'host hostname instanceid dbinstanceidentifier dbclusteridentifier cacheclusterid brokerid nodeid instance'.split(
    ' ',
  );

interface Owner {
  readonly partition: string;
  readonly region: string | undefined;
  readonly account: string | undefined;
}

/** Partition, region and account of an ARN; all of them unknown for other text. */
export function ownerOf(arn: string | undefined): Owner {
  const [start, partition, , region, account] = (arn ?? '').split(':', 6);
  if (start !== 'arn') return { partition: 'aws', region: undefined, account: undefined };
  return { partition: partition || 'aws', region: region || undefined, account: account || undefined };
}

function arnOf(name: string, value: string, owner: Owner): string | undefined {
  if (value.startsWith('arn:')) return value;
  const resource = RESOURCES.get(name);
  if (!resource || owner.region === undefined || owner.account === undefined) return undefined;
  return `arn:${owner.partition}:${resource[0]}:${owner.region}:${owner.account}:${resource[1]}${value}`;
}

/**
 * Names by which the resource may be known as a CI. The first is the system where no machine is known, so unique ones
 * are first: the ARN, else the alarm. Other dimensions count where nothing else does.
 */
export function resourceHints(dimensions: Labels, owner: Owner, alarm: string): string[] {
  const known: string[] = [];
  const others: string[] = [];
  for (const [name, value] of dimensions.byName) {
    const arn = arnOf(name, value, owner);
    if (arn !== undefined) known.push(arn);
    if (arn !== undefined || RESOURCES.has(name) || HOSTS.includes(name)) known.push(value);
    else others.push(value);
  }
  return known.length > 0 ? [...known, alarm] : [alarm, ...others];
}

const INSTANCE = /^i-[0-9a-f]{8,17}$/;
const MACHINE = /^arn:[\w-]{1,20}:(?:ec2|rds):[\w-]{0,30}:\d{0,12}:(?:instance\/|db:|cluster:)([\w-]{1,100})$/;

/** The machine that an ARN or the id of an instance names. */
export const machineNamed = (resource: string | undefined): string | undefined =>
  resource !== undefined && INSTANCE.test(resource) ? resource : MACHINE.exec(resource ?? '')?.[1];

export const machineTexts = (dimensions: Labels): (string | undefined)[] =>
  HOSTS.map((name) => dimensions.byName.get(name));
