import type { CliFeature } from '#infra/cli/commands/feature.ts';
import { addAssess } from './ci-assess.ts';

export const changeRisk: CliFeature = {
  id: 'change-risk',
  ciCommands: [{ place: 16, add: addAssess }],
};
