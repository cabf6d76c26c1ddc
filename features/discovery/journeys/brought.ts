import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Brought } from '#test/setup/brought.ts';

export const brought: Brought = {
  kinds: Object.values(DISCOVERY_KINDS),
  async furnish(send, now) {
    const said = { scan_type: 'network', scanner_id: 'nmap', timestamp: now };
    await send('POST', '/v1/discovery/scan-data', { ...said, data: { discovered_hosts: [{ hostname: 'new' }] } });
  },
};
