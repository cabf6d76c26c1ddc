import { REPORT_KINDS } from '#features/reports/rules/report.ts';
import type { Brought } from '#test/setup/brought.ts';

export const brought: Brought = {
  kinds: Object.values(REPORT_KINDS),
  async furnish(send) {
    await send('POST', '/v1/reports/generate', { template_id: 'ci-inventory', format: 'csv' });
  },
};
