/** Feeds and distribution units that supply devices, traced from power ports through outlets. */
import { endpointsOf, idIn } from './fields.ts';
import type { NetboxRow } from './lists.ts';

interface TracedPort {
  readonly device: number;
  readonly feeds: readonly number[];
  readonly outlets: readonly number[];
}
interface TracedOutlet {
  readonly device: number;
  /** Null: supplied by all ports of its device. */
  readonly port: number | null;
}

/** Devices that supply others, and the feeds at the end of all paths. */
interface PowerSupply {
  readonly device: number;
  readonly feeds: ReadonlySet<number>;
  /** Nearest distribution units. */
  readonly units: ReadonlySet<number>;
  /** True if the path of a port ends without a feed. */
  readonly isIncomplete: boolean;
}

const idsOf = (rows: readonly NetboxRow[]): readonly number[] => rows.flatMap((row) => idIn(row) ?? []);

export class PowerPaths {
  readonly #ports = new Map<number, TracedPort>();
  readonly #outlets = new Map<number, TracedOutlet>();
  readonly #byDevice = new Map<number, number[]>();

  addPort(id: number, row: NetboxRow): void {
    const device = idIn(row.device);
    if (device === null) return;
    const feeds = idsOf(endpointsOf(row, 'dcim.powerfeed'));
    this.#ports.set(id, { device, feeds, outlets: idsOf(endpointsOf(row, 'dcim.poweroutlet')) });
    this.#byDevice.set(device, [...(this.#byDevice.get(device) ?? []), id]);
  }

  addOutlet(id: number, row: NetboxRow): void {
    const device = idIn(row.device);
    if (device !== null) this.#outlets.set(id, { device, port: idIn(row.power_port) });
  }

  /** Returns the feeds of a port; visits each port once, as cables can form a loop. */
  #feedsOf(id: number, visited: Set<number>): readonly number[] {
    const port = this.#ports.get(id);
    if (port === undefined || visited.has(id)) return [];
    visited.add(id);
    return [...port.feeds, ...port.outlets.flatMap((outlet) => this.#feedsOfOutlet(outlet, visited))];
  }

  #feedsOfOutlet(id: number, visited: Set<number>): readonly number[] {
    const outlet = this.#outlets.get(id);
    if (outlet === undefined) return [];
    const ports = outlet.port === null ? (this.#byDevice.get(outlet.device) ?? []) : [outlet.port];
    return ports.flatMap((port) => this.#feedsOf(port, visited));
  }

  *supplies(): Generator<PowerSupply> {
    for (const [device, ports] of this.#byDevice) {
      const feeds = new Set<number>();
      const units = new Set<number>();
      let isIncomplete = false;
      for (const id of ports) {
        const found = this.#feedsOf(id, new Set());
        for (const feed of found) feeds.add(feed);
        if (found.length === 0) isIncomplete = true;
        for (const outlet of this.#ports.get(id)?.outlets ?? []) {
          const unit = this.#outlets.get(outlet)?.device;
          if (unit !== undefined) units.add(unit);
        }
      }
      yield { device, feeds, units, isIncomplete };
    }
  }
}
