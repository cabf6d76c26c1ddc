import type { AnyQuestionTool } from '#features/questions/use-cases/tools/tool.ts';
import { ciDetails, impact, path, relationships, searchCis } from './cis.ts';
import { context, query, services } from './estate.ts';
import { changes, events, past } from './events.ts';
import { incident, incidents } from './incidents.ts';

/** Those of this feature; others contribute theirs. The first six have the names of the interface specification. */
export const OWN_TOOLS: readonly AnyQuestionTool[] = [
  searchCis,
  ciDetails,
  relationships,
  query,
  events,
  context,
  incidents,
  incident,
  changes,
  past,
  impact,
  path,
  services,
];

declare module '#features/feature.ts' {
  interface Contributions {
    readonly questionTools: readonly AnyQuestionTool[];
  }
}
declare module '#domain/ports/ports.ts' {
  interface Ports {
    /** All that questions can look up, in the order in which a model is told of it. */
    readonly questionTools: readonly AnyQuestionTool[];
  }
}
