import { firstItem } from '#domain/assert.ts';
import type { Span } from './incidents/incidents.ts';
import {
  appAlert,
  type CheckProblem,
  deployment,
  instanceAlert,
  nagiosCheck,
  probeSlow,
  rdsAlarm,
  slowReplies,
  zabbixTrigger,
} from './scene/check-problems.ts';
import type { Ground } from './scene/ground.ts';
import type { Random } from './scene/random.ts';
import type { DemoIncident, HeldProblem } from './scene/scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Sporadic problems, on average one in this time in ms: 200 a day. */
const SPORADIC_EVERY = (24 * HOUR) / 200;
/** Deployments that go well: 12 a day. */
const DEPLOYMENT_EVERY = 2 * HOUR;

type NoiseSource = (ground: Ground, random: Random) => CheckProblem;
const any =
  (type: string, complain: (name: string, random: Random) => CheckProblem): NoiseSource =>
  (ground, random) =>
    complain(random.pick(ground.ofType(type)).name, random);

const machine = (...texts: readonly (readonly [string, CheckProblem['grade']])[]): NoiseSource =>
  any('virtual_machine', (name, random) => zabbixTrigger(name, ...random.pick(texts)));

/** Spontaneous faults of the day, by their frequency. */
const KINDS: readonly (readonly [weight: number, kind: NoiseSource])[] = [
  [
    9,
    machine(
      ['High CPU utilization (over 90% for 5m)', 'warning'],
      ['Load average is too high (per CPU load over 1.5 for 5m)', 'minor'],
      ['High memory utilization (>90% for 5m)', 'minor'],
    ),
  ],
  [
    7,
    machine(
      ['/var: Disk space is low (used > 80%)', 'warning'],
      ['/: Disk space is low (used > 80%)', 'warning'],
      ['/tmp: Running out of free inodes (free < 20%)', 'warning'],
    ),
  ],
  [
    6,
    machine(
      ['System time is out of sync (diff with server over 60s)', 'warning'],
      ['Host has been restarted (uptime < 10m)', 'warning'],
      ['Too many processes on host (over 300)', 'warning'],
      ['/etc/passwd has been changed', 'info'],
    ),
  ],
  [2, machine(['Zabbix agent is not available (for 3m)', 'minor'])],
  [
    4,
    any('hypervisor', (name) => nagiosCheck(name, 'NRPE', 'CHECK_NRPE: Socket timeout after 10 seconds', 'critical')),
  ],
  [3, any('hypervisor', (name) => nagiosCheck(name, 'Hardware', 'WARNING - fan 4 speed 9800 rpm', 'warning'))],
  [
    4,
    any('switch', (name, random) =>
      nagiosCheck(name, `Gi1/0/${random.whole(1, 48)}`, 'WARNING - input errors 31/min', 'warning'),
    ),
  ],
  [2, any('pdu', (name) => nagiosCheck(name, 'Temperature', 'WARNING - inlet temperature 31 C', 'warning'))],
  [5, any('application', (name) => slowReplies(name))],
  [4, any('application', (name) => appAlert(name, 'JobFailed', `Job of ${name} failed to complete`, 'warning'))],
  [3, any('application', (name) => appAlert(name, 'PodRestarted', `A container of ${name} restarted`, 'warning'))],
  [
    3,
    any('application', (name) =>
      appAlert(name, 'ErrorBudgetBurn', `${name} uses its error budget too fast`, 'warning'),
    ),
  ],
  [
    3,
    (ground, random) => {
      const app = random.pick(ground.ofType('application')).name;
      const host = random.pick(
        ground.under(app, 'runs_on').filter((name) => ground.named(name).type === 'virtual_machine'),
      );
      return instanceAlert(host, app, 'JvmGcPause', `Long garbage collection on ${host}`, 'warning');
    },
  ],
  [2, any('business_service', (name) => probeSlow(name))],
  [1, any('cloud_database', (name) => rdsAlarm(name, 'FreeableMemory', 'Freeable memory below 1 GB', 'warning'))],
];

const weighted = (random: Random): NoiseSource => {
  let left = random.next() * KINDS.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, kind] of KINDS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return firstItem(KINDS)[1];
};

const unrelated = { incident: null, isCause: false } as const;

function* arrivals({ from, to }: Span, every: number, random: Random): Generator<number> {
  for (let at = from + random.gap(every); at < to; at += random.gap(every)) yield Math.round(at);
}

const sporadic = (ground: Ground, span: Span, random: Random): HeldProblem[] =>
  [...arrivals(span, SPORADIC_EVERY, random)].map((from) => {
    const until = from + Math.round(random.between(3, 12) * random.between(1, 8) * MINUTE);
    return { complaint: weighted(random)(ground, random), from, until, ...unrelated };
  });

const deployments = (ground: Ground, span: Span, random: Random): HeldProblem[] =>
  [...arrivals(span, DEPLOYMENT_EVERY, random)].map((from) => {
    const app = random.pick(ground.ofType('application')).name;
    const version = `${random.whole(1, 9)}.${random.whole(0, 40)}.${random.whole(0, 9)}`;
    return { complaint: deployment(app, version), from, until: from + random.whole(3, 9) * MINUTE, ...unrelated };
  });

/** Noise that operators have long stopped reading: it is present all day, some of it intermittent. */
const usual = (ground: Ground, { from, to }: Span, random: Random): HeldProblem[] => {
  const offices = random
    .some(
      ground.ofType('virtual_machine').filter(({ name }) => /-(?:backup|file|log|build|stage|print)-/.test(name)),
      8,
    )
    .map(({ name }) => name);
  const lasting = offices.slice(0, 10).map((name, at): HeldProblem => {
    const text = at % 2 === 0 ? '/backup: Disk space is low (used > 80%)' : 'Pending updates need a restart';
    return {
      complaint: { ...zabbixTrigger(name, text, 'warning'), every: 5 * MINUTE },
      from: from + random.whole(0, 20) * MINUTE,
      until: null,
      ...unrelated,
    };
  });
  const wavering = offices.slice(10).flatMap((name) => {
    const complaint = zabbixTrigger(name, 'High CPU utilization (over 90% for 5m)', 'warning');
    return [...arrivals({ from, to }, 40 * MINUTE, random)].map((at): HeldProblem => {
      return { complaint, from: at, until: at + random.whole(4, 12) * MINUTE, ...unrelated };
    });
  });
  return [...lasting, ...wavering];
};

/** Returns the machine or service that a problem is about, for any sender. */
const subjectOf = ({ host, check, labels }: CheckProblem): string => host?.split('.')[0] ?? labels?.service ?? check;

/** Distance in time from current incidents: a problem about an affected object would look like a part of it. */
const APART_MS = 10 * MINUTE;

/** Removes problems that are not clearly unrelated: those about the very subject of an incident, while it lasts. */
export const unrelatedTo = (incidents: readonly DemoIncident[], noise: readonly HeldProblem[]): HeldProblem[] => {
  const troubled = new Map<string, HeldProblem[]>();
  for (const condition of incidents.flatMap(({ conditions }) => conditions)) {
    const subject = subjectOf(condition.complaint);
    troubled.set(subject, [...(troubled.get(subject) ?? []), condition]);
  }
  const isAmid = (at: number, { from, until }: HeldProblem): boolean =>
    at > from - APART_MS && at < (until ?? from + HOUR) + APART_MS;
  return noise.filter(({ complaint, from }) => !troubled.get(subjectOf(complaint))?.some((one) => isAmid(from, one)));
};

/** The normal day of an infrastructure, from beginning to end and independent of incidents. */
export const noiseIn = (ground: Ground, span: Span, random: Random): HeldProblem[] => [
  ...sporadic(ground, span, random.fork('noise/sporadic')),
  ...deployments(ground, span, random.fork('noise/deployments')),
  ...usual(ground, span, random.fork('noise/usual')),
];
