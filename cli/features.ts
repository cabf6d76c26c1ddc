import { analysis } from '#features/analysis/cli/feature.ts';
import { analyzer } from '#features/analyzer/cli/feature.ts';
import { changeRisk } from '#features/change-risk/cli/feature.ts';
import { demo } from '#features/demo/cli/feature.ts';
import { detectors } from '#features/detectors/cli/feature.ts';
import { insights } from '#features/insights/cli/feature.ts';
import { investigations } from '#features/investigations/cli/feature.ts';
import { mcp } from '#features/mcp/cli/feature.ts';
import { questions } from '#features/questions/cli/feature.ts';
import { reports } from '#features/reports/cli/feature.ts';
import { search } from '#features/search/cli/feature.ts';
import { services } from '#features/services/cli/feature.ts';
import { signIn } from '#features/sign-in/cli/feature.ts';
import { silences } from '#features/silences/cli/feature.ts';
import { topologySources } from '#features/topology-sources/cli/feature.ts';
import { transfer } from '#features/transfer/cli/feature.ts';
import { trials } from '#features/trials/cli/feature.ts';
import { webhooks } from '#features/webhooks/cli/feature.ts';
import type { CliFeature } from './commands/feature.ts';

/** Parts of features on the command line: the one file of its core that names them. */
export const features: readonly CliFeature[] = [
  demo,
  insights,
  mcp,
  analysis,
  investigations,
  detectors,
  analyzer,
  search,
  services,
  transfer,
  topologySources,
  changeRisk,
  questions,
  reports,
  signIn,
  silences,
  trials,
  webhooks,
];
