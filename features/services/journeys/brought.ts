import { SERVICE_KINDS } from '#domain/services/service.ts';
import type { Brought } from '#test/setup/brought.ts';

export const brought: Brought = {
  kinds: Object.values(SERVICE_KINDS),
  async furnish(send) {
    const [{ id }] = (await send('GET', '/v1/cmdb/ci?search=db-1')).data;
    await send('POST', '/v1/services', { name: 'Shop', components: [{ ci_id: id, role: 'database' }] });
  },
};
