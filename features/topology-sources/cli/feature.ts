import type { CliFeature } from '#cli/commands/feature.ts';
import { addFileImports } from './import/import-files.ts';
import { addSource } from './source.ts';
import { addSync } from './sync.ts';

export const topologySources: CliFeature = {
  id: 'topology-sources',
  commands: [
    { place: 97, add: addSource },
    { place: 98, add: addSync },
    { place: 98, add: addFileImports },
  ],
};
