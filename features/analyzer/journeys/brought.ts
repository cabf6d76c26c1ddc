import { ANALYSIS_KINDS } from '#features/analyzer/use-cases/infrastructure/records.ts';
import type { Brought } from '#test/setup/brought.ts';

export const brought: Brought = {
  kinds: Object.values(ANALYSIS_KINDS),
  async furnish(send) {
    await send('POST', '/api/business-service-analyzer/infrastructure-analysis', {});
  },
};
