import type { CliFeature } from '#infra/cli/commands/feature.ts';
import { addServices } from './list.ts';
import { addService } from './service.ts';

export const services: CliFeature = {
  id: 'services',
  commands: [
    { place: 85, add: addServices },
    { place: 147, add: addService },
  ],
};
