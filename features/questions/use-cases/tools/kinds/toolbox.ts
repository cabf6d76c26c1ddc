import type { AnyQuestionTool } from '#features/questions/use-cases/tools/tool.ts';
import { ciDetails, impact, neighbourhood, path, relationships, searchCis } from './cis.ts';
import { context, query, services } from './estate.ts';
import { changes, events, past } from './events.ts';
import { pair } from './explain.ts';
import { incident, incidents } from './incidents.ts';
import { recorded } from './recorded.ts';
import { silences } from './silences.ts';
import { whenSafe } from './when-safe.ts';
import { whoActed } from './who.ts';

/** Tools of this feature, in the order of an investigation; others contribute more. */
export const OWN_TOOLS: readonly AnyQuestionTool[] = [
  incidents,
  incident,
  pair,
  whoActed,
  recorded,
  events,
  past,
  searchCis,
  ciDetails,
  relationships,
  neighbourhood,
  path,
  impact,
  changes,
  whenSafe,
  silences,
  services,
  query,
  context,
];

declare module '#features/feature.ts' {
  interface Contributions {
    readonly questionTools: readonly AnyQuestionTool[];
  }
}
declare module '#domain/ports/ports.ts' {
  interface Ports {
    /** The list of tools that read, for questions and for MCP. */
    readonly questionTools: readonly AnyQuestionTool[];
  }
}
