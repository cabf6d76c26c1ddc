import type { Criticality } from '#domain/event/business-impact.ts';
import type { Severity, Status } from '#domain/event/event.ts';
import type { CiStatus } from '#domain/topology/topology.ts';
import type { Metric, QueryUnit } from '#features/questions/rules/query.ts';
import type { Range } from '#features/questions/rules/range.ts';

/** The reading tools of the chatbot; none changes data. */
export const CHAT_TOOLS = [
  'search-cis',
  'get-ci-details',
  'search-relationships',
  'analytics-query',
  'search-events',
  'get-context',
] as const;
export type ChatTool = (typeof CHAT_TOOLS)[number];

/** Rows of one call that are shown, and its sentences and evidence can stand on. */
export const MAX_TOOL_ROWS = 20;

/** Filters of events; of several values, with commas between them, any holds. */
interface EventConditions {
  readonly severity?: string;
  readonly status?: string;
  readonly source?: string;
  /** Of the CI that they are on. */
  readonly type?: string;
  /** Words of title or description, all of them. */
  readonly text?: string;
}

/** Parameters as the specification names them; ids may be written as names. */
export interface ToolParams {
  readonly 'search-cis': { readonly name?: string; readonly type?: string; readonly status?: CiStatus };
  readonly 'get-ci-details': { readonly ciId: string };
  readonly 'search-relationships': { readonly sourceId?: string; readonly targetId?: string; readonly type?: string };
  readonly 'analytics-query': EventConditions & {
    readonly metric: Metric;
    readonly ciId?: string;
    readonly timeRange?: string;
    readonly environment?: string;
  };
  readonly 'search-events': EventConditions & {
    readonly ciId?: string;
    readonly timeRange?: string;
    /** Of a group all events, whatever their status. */
    readonly groupId?: string;
  };
  readonly 'get-context': Readonly<Record<string, never>>;
}

export type ToolCall = { readonly [T in ChatTool]: { readonly tool: T; readonly params: ToolParams[T] } }[ChatTool];

export interface NamedRow {
  readonly ciId: string;
  readonly name: string;
  readonly type: string;
}
/** Open and acknowledged events by severity; severities without one are left out. */
type OpenBySeverity = Readonly<Partial<Record<Severity, number>>>;

export interface CiToolRow extends NamedRow {
  readonly status: CiStatus;
  readonly description: string | null;
}
/** A neighbour; null where the caller may not read events. */
export interface NearRow extends NamedRow {
  readonly openEvents: number | null;
}
export interface CiDetailsRow extends CiToolRow {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly lastSeen: string | null;
  readonly openEvents: number | null;
  readonly openBySeverity: OpenBySeverity | null;
  /** One hop, at most 10 each, with how many there are among the nearest 50. */
  readonly dependsOn: { readonly total: number; readonly nearest: readonly NearRow[] };
  readonly dependents: { readonly total: number; readonly nearest: readonly NearRow[] };
  /** Its impact. */
  readonly impact: { readonly total: number; readonly truncated: boolean; readonly nearest: readonly NamedRow[] };
  /** Business services that it is part of, or that need what fails with it; empty without `services.read`. */
  readonly services: readonly {
    readonly serviceId: string;
    readonly name: string;
    readonly criticality: Criticality;
    readonly impact: 'full_outage' | 'degraded_functionality';
  }[];
  /** The newest 5 changes in the CMDB. */
  readonly changes: readonly { readonly at: string; readonly fields: readonly string[] }[];
}
export interface RelationshipToolRow {
  readonly relationshipId: string;
  readonly type: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceType: string;
  readonly targetId: string;
  readonly targetName: string;
  readonly targetType: string;
  readonly confidence: number;
}
export interface NumberRow {
  readonly metric: Metric;
  /** Null: there is nothing to take it of. */
  readonly value: number | null;
  readonly unit: QueryUnit;
  /** Events, incidents or CIs behind it. */
  readonly count: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly ciId: string | null;
  readonly ciName: string | null;
}
export interface EventToolRow {
  readonly eventId: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: Status;
  readonly ciId: string | null;
  readonly ciName: string | null;
  readonly ciType: string | null;
  readonly hostname: string | null;
  readonly occurrences: number;
  readonly firstOccurrence: string;
  readonly lastOccurrence: string;
  readonly groupId: string | null;
  /** The candidate of its group; null: there is none. */
  readonly cause: {
    readonly eventId: string;
    readonly title: string;
    readonly ciName: string | null;
    /** 0 to 1. */
    readonly confidence: number;
  } | null;
}
/** A business service that is not healthy. */
export interface AffectedRow {
  readonly serviceId: string;
  readonly name: string;
  readonly criticality: Criticality;
  readonly status: 'degraded' | 'critical';
  /** 0 to 100. */
  readonly score: number;
}
export interface ContextRow {
  readonly currentCI: NamedRow | null;
  /** Of the current CI; null without one, or where the caller may not read events. */
  readonly openEvents: number | null;
  /** In the whole tenant; null where the caller may not read them. */
  readonly cis: number | null;
  readonly allOpenEvents: number | null;
  /** Business services that are not healthy, the worst first; null where the caller may not read services or events. */
  readonly affected: { readonly total: number; readonly worst: readonly AffectedRow[] } | null;
  readonly time: string;
  /** Subjects of the conversation so far, the newest last. */
  readonly topics: readonly string[];
}

interface RowOf {
  readonly 'search-cis': CiToolRow;
  readonly 'get-ci-details': CiDetailsRow;
  readonly 'search-relationships': RelationshipToolRow;
  readonly 'analytics-query': NumberRow;
  readonly 'search-events': EventToolRow;
  readonly 'get-context': ContextRow;
}
/** The result of a call. `total` counts all, of which at most 20 are rows; `error`: why it found nothing. */
export interface ToolFound<T extends ChatTool> {
  readonly tool: T;
  readonly params: ToolParams[T];
  readonly rows: readonly RowOf[T][];
  readonly total: number;
  readonly error: string | null;
  /** Of events, the time that was looked at; absent: what stands now. */
  readonly range?: Range;
}
export type ToolRun = { readonly [T in ChatTool]: ToolFound<T> }[ChatTool];
