import type { CliFeature } from '#cli/commands/feature.ts';
import { addSilence } from './silence.ts';
import { watchedSilences } from './watched.ts';

export const silences: CliFeature = {
  id: 'silences',
  commands: [{ place: 155, add: addSilence }],
  watched: [watchedSilences],
};
