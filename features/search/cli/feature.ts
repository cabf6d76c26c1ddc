import type { CliFeature } from '#infra/cli/commands/feature.ts';
import { addSearch } from './search.ts';

export const search: CliFeature = {
  id: 'search',
  commands: [{ place: 67, add: addSearch }],
};
