import { fqdnOf } from './infrastructure.ts';

/** The monitors of the company; each with its usual checks. */
export type Monitor = 'nagios' | 'zabbix' | 'prometheus' | 'grafana' | 'cloudwatch' | 'azure' | 'cloudevents';

/** Grades independent of monitors; each format writes its own. */
export type Grade = 'critical' | 'major' | 'minor' | 'warning' | 'info';

/** Messages of a monitor when a check fails. */
export interface CheckProblem {
  readonly monitor: Monitor;
  /** Host as the monitor names it; absent where the check is about a service as a whole. */
  readonly host?: string;
  /** Service description, trigger, alert name or alarm name. */
  readonly check: string;
  readonly text: string;
  readonly grade: Grade;
  readonly labels?: Readonly<Record<string, string>>;
  /** Repeat interval, ms, instead of the default of the monitor. */
  readonly every?: number;
}

const MINUTE = 60_000;

/** Repeat interval of a monitor for a persistent problem; 0: never. */
export const REPEATS: Readonly<Record<Monitor, number>> = {
  nagios: 10 * MINUTE,
  zabbix: 15 * MINUTE,
  prometheus: 15 * MINUTE,
  grafana: 20 * MINUTE,
  cloudwatch: 0,
  azure: 0,
  cloudevents: 0,
};

/* Nagios monitors network, power and hardware. */

export const hostDown = (host: string): CheckProblem => ({
  monitor: 'nagios',
  host,
  check: '',
  text: 'CRITICAL - Host Unreachable (ICMP), packet loss 100%',
  grade: 'critical',
});
/** Nagios knows the parents of a host and does not blame it for them. */
export const hostBehind = (host: string): CheckProblem => ({
  ...hostDown(host),
  text: 'Host unreachable, parent is down',
  grade: 'major',
});
export const nagiosCheck = (host: string, check: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'nagios',
  host,
  check,
  text,
  grade,
});

/* Zabbix monitors virtual machines with an agent, by their full names. */

export const zabbixTrigger = (host: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'zabbix',
  host: fqdnOf(host),
  check: text,
  text,
  grade,
});
export const agentGone = (host: string): CheckProblem =>
  zabbixTrigger(host, 'Zabbix agent is not available (for 3m)', 'minor');

/* Prometheus monitors applications, by instance or by name. */

const onInstance = (host: string, port: number, job: string) => ({ instance: `${fqdnOf(host)}:${port}`, job });

export const instanceDown = (host: string, app: string): CheckProblem => ({
  monitor: 'prometheus',
  host: fqdnOf(host),
  check: 'InstanceDown',
  text: `Instance ${fqdnOf(host)}:8080 of ${app} is down`,
  grade: 'critical',
  labels: { ...onInstance(host, 8080, app), service: app },
});
export const instanceAlert = (host: string, app: string, check: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'prometheus',
  host: fqdnOf(host),
  check,
  text,
  grade,
  labels: { ...onInstance(host, 8080, app), service: app },
});
export const appAlert = (app: string, check: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'prometheus',
  check,
  text,
  grade,
  labels: { service: app, deployment: app, namespace: 'shop-prod' },
});
export const errorRate = (app: string): CheckProblem =>
  appAlert(app, 'HighErrorRate', `${app} answers more than 5% of requests with HTTP 5xx`, 'critical');
export const slowReplies = (app: string): CheckProblem =>
  appAlert(app, 'HighRequestLatency', `p99 latency of ${app} is above 2s`, 'major');
/** An exporter beside the database speaks for it. */
export const databaseAlert = (
  database: string,
  machine: string,
  check: string,
  text: string,
  grade: Grade,
): CheckProblem => ({
  monitor: 'prometheus',
  host: fqdnOf(machine),
  check,
  text,
  grade,
  labels: { ...onInstance(machine, 9187, 'postgres'), database },
});

/* Grafana probes the business services from outside. */

export const probeFails = (service: string): CheckProblem => ({
  monitor: 'grafana',
  check: 'Synthetic check failing',
  text: `Synthetic transaction of ${service} fails`,
  grade: 'critical',
  labels: { service, target: service, grafana_folder: 'synthetics' },
});
export const probeSlow = (service: string): CheckProblem => ({
  ...probeFails(service),
  check: 'Synthetic check slow',
  text: `Synthetic transaction of ${service} is slow`,
  grade: 'warning',
});

/* Cloud providers report their own problems. */

export const rdsAlarm = (database: string, metric: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'cloudwatch',
  host: database,
  check: `${database}-${metric}`,
  text,
  grade,
  labels: { metric },
});
export const azureAlert = (host: string, check: string, text: string, grade: Grade): CheckProblem => ({
  monitor: 'azure',
  host,
  check,
  text,
  grade,
});

/** The delivery pipeline announces a change when it begins and closes it when it is through. */
export const deployment = (app: string, version: string): CheckProblem => ({
  monitor: 'cloudevents',
  check: `deployment/${app}/${version}`,
  text: `Deployment of ${app} ${version} started`,
  grade: 'info',
  labels: { service: app, ci: app, version },
});
