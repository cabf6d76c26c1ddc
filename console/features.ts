import { ai } from '#features/ai/console/feature.tsx';
import { analysis } from '#features/analysis/console/feature.tsx';
import { changeRisk } from '#features/change-risk/console/feature.tsx';
import { demo } from '#features/demo/console/feature.tsx';
import { discovery } from '#features/discovery/console/feature.tsx';
import { home } from '#features/home/console/feature.tsx';
import { inbox } from '#features/inbox/console/feature.tsx';
import { investigations } from '#features/investigations/console/feature.tsx';
import { landscape } from '#features/landscape/console/feature.tsx';
import { noise } from '#features/noise/console/feature.tsx';
import { onCall } from '#features/on-call/console/feature.tsx';
import { proposals } from '#features/proposals/console/feature.tsx';
import { questions } from '#features/questions/console/feature.tsx';
import { reports } from '#features/reports/console/feature.tsx';
import { services } from '#features/services/console/feature.tsx';
import { silences } from '#features/silences/console/feature.tsx';
import { silentSources } from '#features/silent-sources/console/feature.tsx';
import { topologySources } from '#features/topology-sources/console/feature.tsx';
import { transfer } from '#features/transfer/console/feature.tsx';
import { trials } from '#features/trials/console/feature.tsx';
import { webhooks } from '#features/webhooks/console/feature.tsx';
import type { ConsoleFeature } from './slots/feature.ts';

/** Parts of features in the console: the one file of the core that names them. */
export const features: readonly ConsoleFeature[] = [
  home,
  inbox,
  demo,
  silences,
  silentSources,
  noise,
  landscape,
  onCall,
  services,
  discovery,
  proposals,
  changeRisk,
  topologySources,
  transfer,
  analysis,
  investigations,
  questions,
  webhooks,
  reports,
  ai,
  trials,
];
