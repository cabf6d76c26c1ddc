/** Cables between devices, each reported by both of its interfaces. */
import { endpointsOf, idIn } from './fields.ts';
import type { NetboxRow } from './lists.ts';

/** Bits: the interface of the device with the lower or higher ID forwards traffic. */
const LOW = 1;
const HIGH = 2;

export interface ConnectedDevices {
  readonly low: number;
  readonly high: number;
  /** False: the cable is for management only. */
  readonly isForwarding: boolean;
}

export class CabledDevices {
  readonly #pairs = new Map<string, number>();

  get size(): number {
    return this.#pairs.size;
  }

  add(row: NetboxRow): void {
    const device = idIn(row.device);
    if (device === null || row.connected_endpoints_reachable === false) return;
    for (const end of endpointsOf(row, 'dcim.interface')) {
      const other = idIn(end.device);
      if (other === null || other === device) continue;
      const key = `${Math.min(device, other)} ${Math.max(device, other)}`;
      const side = row.mgmt_only === true ? 0 : device < other ? LOW : HIGH;
      this.#pairs.set(key, (this.#pairs.get(key) ?? 0) | side);
    }
  }

  *pairs(): Generator<ConnectedDevices> {
    for (const [key, sides] of this.#pairs) {
      const [low = 0, high = 0] = key.split(' ').map(Number);
      yield { low, high, isForwarding: sides === (LOW | HIGH) };
    }
  }
}
