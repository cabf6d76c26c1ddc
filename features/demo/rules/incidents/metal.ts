import { assertDefined, firstItem } from '#domain/assert.ts';
import {
  appAlert,
  hostDown,
  instanceAlert,
  nagiosCheck,
  slowReplies,
  zabbixTrigger,
} from '#features/demo/rules/scene/check-problems.ts';
import { carriedBy, machinesOn, usersOf } from '#features/demo/rules/scene/ground.ts';
import { hypervisorGone, unique } from '#features/demo/rules/scene/ripple.ts';
import { type Script, sees } from '#features/demo/rules/scene/scene.ts';

/** A host panics; its machines are gone until an operator restarts them elsewhere. */
export const crashedHypervisor =
  (hypervisor: string): Script =>
  (scene) => {
    const [host, ...rest] = hypervisorGone(scene, hypervisor);
    return {
      title: `hypervisor ${hypervisor} crashes`,
      cause: assertDefined(host, 'hypervisor'),
      symptoms: rest,
      minutes: 20,
    };
  };

/** Half a site loses power: the racks of one feed go dark. */
export const lostPower =
  (site: string, letter: string): Script =>
  (scene) => {
    const { ground } = scene;
    const feed = `${site}-ups-${letter}`;
    const pdus = ground.on(feed, 'powered_by');
    const fed = pdus.flatMap((pdu) => ground.on(pdu, 'powered_by'));
    const ofType = (type: string) => fed.filter((name) => ground.named(name).type === type);
    return {
      title: `power feed ${feed} fails`,
      cause: sees(nagiosCheck(feed, 'UPS input', 'CRITICAL - power feed lost, output off', 'critical'), 10, 50),
      symptoms: unique([
        ...pdus.map((pdu) => sees(hostDown(pdu), 20, 90)),
        ...ofType('switch').map((access) => sees(hostDown(access), 20, 90)),
        ...ofType('hypervisor').flatMap((hypervisor) => hypervisorGone(scene, hypervisor, 10)),
      ]),
      minutes: 35,
    };
  };

/** A rebuild in the array: everything that reads or writes is slow, and reports it in its own words. */
export const slowStorage =
  (site: string): Script =>
  ({ ground, random }) => {
    const array = `${site}-san-01`;
    const hypervisors = ground.on(array, 'uses').filter((name) => ground.named(name).type === 'hypervisor');
    const databases = ground
      .ofType('database', site)
      .map(({ name }) => name)
      .filter((name) => name.endsWith('-primary'));
    return {
      title: `storage ${array} is slow`,
      cause: sees(
        nagiosCheck(array, 'LUN latency', 'CRITICAL - LUN latency 84 ms, RAID rebuild, degraded', 'critical'),
        15,
        75,
      ),
      symptoms: unique([
        ...random
          .some(hypervisors, 7)
          .map((hypervisor) =>
            sees(nagiosCheck(hypervisor, 'Datastore latency', 'WARNING - datastore latency 61 ms', 'warning'), 20, 150),
          ),
        ...databases.flatMap((database) => [
          sees(
            zabbixTrigger(
              firstItem(ground.under(database, 'runs_on')),
              'Disk read/write request responses are too high',
              'warning',
            ),
            40,
            200,
          ),
          ...usersOf(ground, database).map((app) => sees(slowReplies(app), 60, 240)),
        ]),
      ]),
      minutes: 28,
    };
  };

/** A process eats the memory of one machine until the kernel kills it. */
export const leakingMemory =
  (app: string): Script =>
  ({ ground }) => {
    const machine = firstItem(ground.under(app, 'runs_on'));
    return {
      title: `${app} leaks memory on ${machine}`,
      cause: sees(zabbixTrigger(machine, 'Out of memory: kernel killed process java (oom-kill)', 'major'), 5, 30),
      symptoms: unique([
        sees(zabbixTrigger(machine, 'High memory utilization (>90% for 5m)', 'minor'), -240, -120),
        sees(zabbixTrigger(machine, 'High swap space usage (less than 50% free)', 'warning'), -200, -60),
        sees(
          instanceAlert(machine, app, 'InstanceDown', `Instance of ${app} on ${machine} is down`, 'critical'),
          20,
          80,
        ),
        sees(appAlert(app, 'ReplicasMismatch', `${app} has fewer ready instances than wanted`, 'minor'), 40, 140),
        sees(slowReplies(app), 50, 160),
        ...usersOf(ground, app)
          .slice(0, 3)
          .map((caller) => sees(slowReplies(caller), 80, 240)),
      ]),
      minutes: 14,
    };
  };

/** One machine uses the processor time of its neighbors; the host itself looks healthy. */
export const noisyNeighbour =
  (hypervisor: string): Script =>
  ({ ground, random }) => {
    const machines = machinesOn(ground, hypervisor);
    return {
      title: `noisy neighbour on ${hypervisor} (the host reports nothing)`,
      cause: null,
      symptoms: unique([
        ...random
          .some(machines, 4)
          .map((machine) => sees(zabbixTrigger(machine, 'High CPU steal time (>30% for 5m)', 'warning'), 10, 150)),
        ...carriedBy(ground, machines, 'application').map((app) => sees(slowReplies(app), 40, 200)),
      ]),
      minutes: 20,
    };
  };
