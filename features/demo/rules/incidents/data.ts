import {
  appAlert,
  azureAlert,
  databaseAlert,
  rdsAlarm,
  slowReplies,
  zabbixTrigger,
} from '#features/demo/rules/scene/check-problems.ts';
import { usersOf } from '#features/demo/rules/scene/ground.ts';
import { appTrouble, unique } from '#features/demo/rules/scene/ripple.ts';
import { type Script, sees } from '#features/demo/rules/scene/scene.ts';

/** The disk of a database is full: it refuses to write, its applications fail, their callers wait. */
export const fullDisk =
  (name: string): Script =>
  (scene) => {
    const { ground } = scene;
    const database = `pg-${name}-primary`;
    const [machine] = ground.under(database, 'runs_on') as [string];
    const [replica] = ground.on(database, 'depends_on') as [string];
    const [standby] = ground.under(replica, 'runs_on') as [string];
    return {
      title: `disk of ${database} is full`,
      cause: sees(
        zabbixTrigger(machine, '/var/lib/postgresql: Disk space is critically low (used > 95%)', 'major'),
        0,
        30,
      ),
      symptoms: unique([
        sees(
          databaseAlert(
            database,
            machine,
            'PostgresqlWriteErrors',
            `PostgreSQL ${name}: could not extend file, no space left on device`,
            'critical',
          ),
          25,
          90,
        ),
        sees(
          databaseAlert(
            replica,
            standby,
            'PostgresqlReplicationLag',
            `Replication lag of ${replica} above 300s`,
            'warning',
          ),
          60,
          200,
        ),
        ...usersOf(ground, database).flatMap((app) => appTrouble(scene, app, { fails: true, after: 40 })),
      ]),
      minutes: 25,
    };
  };

/** A query without an index saturates a database in the cloud. */
export const busyCloudDatabase =
  (database: string): Script =>
  (scene) => ({
    title: `${database} is out of processor time`,
    cause: sees(
      rdsAlarm(database, 'CPUUtilization', 'CPU utilization of the instance is above 95%', 'critical'),
      30,
      90,
    ),
    symptoms: unique([
      sees(rdsAlarm(database, 'DatabaseConnections', 'Number of connections is near the maximum', 'major'), 60, 180),
      sees(rdsAlarm(database, 'ReadLatency', 'Read latency above 50 ms', 'warning'), 60, 200),
      ...usersOf(scene.ground, database).flatMap((app) => appTrouble(scene, app, { fails: false, after: 45 })),
    ]),
    minutes: 30,
  });

/** A virtual machine in the cloud stops; what runs there is gone. */
export const stoppedCloudMachine =
  (machine: string): Script =>
  (scene) => ({
    title: `${machine} is not available`,
    cause: sees(
      azureAlert(
        machine,
        'VM availability',
        'The virtual machine is unavailable: availability metric below 1',
        'critical',
      ),
      40,
      110,
    ),
    symptoms: unique([
      sees(azureAlert(machine, 'Heartbeat missing', 'No heartbeat from the agent for 5 minutes', 'major'), 100, 240),
      ...scene.ground
        .on(machine, 'runs_on', 'uses')
        .flatMap((app) => appTrouble(scene, app, { fails: true, after: 30 })),
    ]),
    minutes: 17,
  });

/** A broker stops accepting messages; consumers starve and producers block. */
export const blockedQueue =
  (site: string): Script =>
  (scene) => {
    const { ground } = scene;
    const queue = `rabbitmq-${site}`;
    const [machine] = ground.under(queue, 'runs_on') as [string];
    const users = usersOf(ground, queue);
    return {
      title: `${queue} blocks its publishers`,
      cause: sees(zabbixTrigger(machine, 'RabbitMQ: memory alarm, publishers are blocked', 'major'), 10, 60),
      symptoms: unique(
        users.flatMap((app, at) => [
          sees(appAlert(app, 'QueueBacklog', `Queue backlog of ${app} above 10000 messages`, 'minor'), 30, 200),
          ...(at < 2 ? [sees(slowReplies(app), 60, 220)] : []),
        ]),
      ),
      minutes: 21,
    };
  };
