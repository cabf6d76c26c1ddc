import type { CliFeature } from '#cli/commands/feature.ts';
import { addExport } from './export.ts';
import { addImport } from './import.ts';

export const transfer: CliFeature = {
  id: 'transfer',
  commands: [
    { place: 93, add: addImport },
    { place: 96, add: addExport },
  ],
};
