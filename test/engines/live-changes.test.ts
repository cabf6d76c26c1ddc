import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { liveChangesContract } from '#test/contract/live-changes.ts';
import { aCi } from '#test/contract/topology-samples.ts';
import { openTestApp, START } from '#test/setup/test-app.ts';
import { distributed } from './distributed.ts';

liveChangesContract('Distributed mode', async () => {
  const app = await openTestApp({ FAULTLINE_ROLE: 'api' });
  const config = readConfig({ PORT: '0', FAULTLINE_LOG_LEVEL: 'silent', FAULTLINE_ROLE: 'api', ...distributed.env });
  const other = await start(config, { clock: app.clock });
  return {
    live: app.app.ports.live,
    other: other.ports.live,
    async change(tenant, ids) {
      const cis = ids.map((id) => aCi(id, { tenant, name: id, createdAt: START, updatedAt: START }));
      await app.app.ports.cis.put(tenant, cis);
    },
    async close() {
      await Promise.all([other.stop(), app.stop()]);
    },
  };
});
