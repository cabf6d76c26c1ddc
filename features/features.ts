import { agents } from './agents/feature.ts';
import { ai } from './ai/feature.ts';
import { alertmanager } from './alertmanager/feature.ts';
import { analysis } from './analysis/feature.ts';
import { analyzer } from './analyzer/feature.ts';
import { changeRisk } from './change-risk/feature.ts';
import { demo } from './demo/feature.ts';
import { detectors } from './detectors/feature.ts';
import { discovery } from './discovery/feature.ts';
import type { Feature } from './feature.ts';
import { home } from './home/feature.ts';
import { inbox } from './inbox/feature.ts';
import { insights } from './insights/feature.ts';
import { investigations } from './investigations/feature.ts';
import { landscape } from './landscape/feature.ts';
import { mcp } from './mcp/feature.ts';
import { noise } from './noise/feature.ts';
import { onCall } from './on-call/feature.ts';
import { opsgenieAlerts } from './opsgenie/feature.ts';
import { pagerdutyEvents } from './pagerduty/feature.ts';
import { proposals } from './proposals/feature.ts';
import { questions } from './questions/feature.ts';
import { replies } from './replies/feature.ts';
import { reports } from './reports/feature.ts';
import { search } from './search/feature.ts';
import { services } from './services/feature.ts';
import { signIn } from './sign-in/feature.ts';
import { silences } from './silences/feature.ts';
import { silentSources } from './silent-sources/feature.ts';
import { topologySources } from './topology-sources/feature.ts';
import { transfer } from './transfer/feature.ts';
import { trials } from './trials/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/** All that the product can do beyond its core. */
export const features: readonly Feature[] = [
  silences,
  silentSources,
  signIn,
  transfer,
  topologySources,
  discovery,
  landscape,
  services,
  search,
  ai,
  insights,
  webhooks,
  proposals,
  changeRisk,
  detectors,
  analysis,
  investigations,
  analyzer,
  questions,
  reports,
  agents,
  trials,
  noise,
  home,
  inbox,
  onCall,
  demo,
  mcp,
  alertmanager,
  pagerdutyEvents,
  opsgenieAlerts,
  replies,
];
