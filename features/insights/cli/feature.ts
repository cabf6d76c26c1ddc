import type { CliFeature } from '#infra/cli/commands/feature.ts';
import { addAnalyze } from './analyze.ts';
import { addInsight } from './ci-insight.ts';
import { addInsights } from './insights.ts';

export const insights: CliFeature = {
  id: 'insights',
  commands: [
    { place: 63, add: addAnalyze },
    { place: 65, add: addInsights },
  ],
  ciCommands: [{ place: 13, add: addInsight }],
};
