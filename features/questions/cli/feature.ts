import type { CliFeature } from '#infra/cli/commands/feature.ts';
import { addAsk } from './ask.ts';

export const questions: CliFeature = {
  id: 'questions',
  commands: [{ place: 105, add: addAsk }],
};
