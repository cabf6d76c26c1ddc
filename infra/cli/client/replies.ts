/** The parts of the server's replies that commands read; the full forms are in its documentation. */
export interface EventReply {
  readonly eventId: string;
  readonly source: string;
  readonly sourceId: string;
  readonly severity: string;
  readonly status: string;
  readonly title: string;
  readonly description?: string;
  readonly timestamp: string;
  readonly hostname?: string;
  readonly ipAddress?: string;
  readonly service?: string;
  readonly correlationId: string | null;
  readonly ciId?: { readonly _id: string; readonly name: string; readonly type: string };
  readonly occurrenceCount: number;
  readonly firstOccurrence: string;
  readonly lastOccurrence: string;
  readonly assignedTo?: PersonReply;
  readonly assignedTeam?: TeamReply;
  readonly acknowledgedBy?: PersonReply;
  readonly acknowledgedAt?: string;
  readonly resolvedBy?: PersonReply;
  readonly resolvedAt?: string;
  readonly resolutionNotes?: string;
  readonly resolutionCategory?: string;
  readonly tags: readonly string[];
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly problemSince?: string;
  readonly returns?: number;
  readonly suppressedBy?: string;
  readonly suppressedUntil?: string;
  readonly aiAnalysis?: AnalysisReply;
}
export interface CitationReply {
  readonly ref: string;
  readonly kind: string;
  readonly label: string;
  readonly href: string;
}
/** Common fields of answers of AI functions; `claims` is absent in those of older servers. */
export interface GroundsReply {
  readonly generatedBy: string;
  readonly model: string | null;
  readonly claims?: readonly { readonly text: string; readonly refs: readonly string[] }[];
  readonly citations: readonly CitationReply[];
}
/** Optional fields are absent in analyses of older servers. */
export interface AnalysisReply {
  readonly anomalyScore: number;
  readonly rootCauseHypothesis: string;
  readonly recommendedActions: readonly string[];
  readonly generatedBy: string;
  readonly model?: string | null;
  readonly degraded?: string | null;
  readonly warnings?: readonly string[];
  readonly history?: { readonly text: string };
  readonly citations?: readonly CitationReply[];
  readonly refs?: {
    readonly history: readonly string[];
    readonly hypothesis: readonly string[];
    readonly actions: readonly (readonly string[])[];
    readonly warnings?: readonly (readonly string[])[];
  };
}
export interface PersonReply {
  readonly _id: string;
  readonly username: string;
  readonly name: string;
}
export interface TeamReply {
  readonly _id: string;
  readonly name: string;
}
interface Moved<T> {
  readonly from: T | null;
  readonly to: T | null;
}
export interface HistoryEntryReply extends Moved<string> {
  readonly at: string;
  readonly by: PersonReply | null;
  readonly to: string;
  readonly severity?: Moved<string>;
  readonly assignedTo?: Moved<PersonReply>;
  readonly assignedTeam?: Moved<TeamReply>;
  readonly notes?: string;
}

export interface EventDetailReply {
  readonly event: EventReply & {
    readonly history: readonly HistoryEntryReply[];
    readonly conditions: readonly { readonly id: string; readonly title?: string }[];
    readonly alsoReportedBy?: readonly string[];
  };
  readonly correlationGroup: { readonly analysis: GroupAnalysisReply; readonly aiAnalysis?: AnalysisReply } | null;
}
/** PATCH of its status. */
export interface EventChangedReply {
  readonly event: EventDetailReply['event'];
}

export interface Paged {
  readonly pagination: { readonly total: number; readonly nextCursor?: string | null };
}
export interface EventsReply extends Paged {
  readonly events: readonly EventReply[];
}

export interface GroupAnalysisReply {
  readonly correlationId: string;
  readonly timeSpan: { readonly start: string; readonly end: string };
  readonly eventCount: number;
  readonly rootCauseCandidate: {
    readonly eventId: string;
    readonly confidence: number;
    readonly reasoning: string;
    readonly alternatives: readonly { readonly eventId: string; readonly score: number }[];
    readonly explains: readonly { readonly ciId: string; readonly hops: number }[];
  } | null;
  /** Why the group may be larger than it should. */
  readonly learningReason?: string;
}
export interface GroupReply extends GroupAnalysisReply {
  readonly status: string;
  readonly growing: boolean;
  /** The highest of open events, else of all. */
  readonly severity: string | null;
  readonly counts: Readonly<Record<'open' | 'acknowledged' | 'suppressed' | 'resolved', number>>;
  readonly rootCause: EventReply | null;
  readonly assignedTo: PersonReply | null;
  readonly assignedTeam: TeamReply | null;
  readonly verdict: {
    readonly cause: string;
    readonly rootEventId?: string;
    readonly members: string;
    readonly note?: string;
    readonly by: PersonReply;
    readonly at: string;
  } | null;
}
interface EntryReply {
  readonly at: string;
  readonly by: PersonReply;
  readonly text: string;
}
export interface GroupDetailReply extends GroupReply {
  readonly title: string | null;
  readonly cause: {
    readonly event: EventReply;
    readonly ci: { readonly id: string; readonly name: string; readonly type: string } | null;
    readonly confidence: number;
    readonly reasoning: string;
    readonly parts: Readonly<Record<'coverage' | 'earliness' | 'severity' | 'knownPattern', number>> | null;
    readonly alternatives: readonly {
      readonly eventId: string;
      readonly title: string | null;
      readonly ciName: string | null;
      readonly score: number;
    }[];
    readonly explains: readonly { readonly ciId: string; readonly name: string | null; readonly hops: number }[];
  } | null;
  readonly summary: string;
  readonly impactedServices: readonly { readonly name: string; readonly impact: string }[];
  readonly notes: readonly EntryReply[];
  readonly history: readonly (EntryReply & { readonly kind: string })[];
  readonly aiAnalysis?: AnalysisReply;
}
export interface MembersReply extends Paged {
  readonly members: readonly EventReply[];
}
export interface GroupsReply extends Paged {
  readonly groups: readonly GroupReply[];
}

export interface WebhookReply {
  readonly received: number;
  readonly results: readonly {
    readonly sourceId: string | null;
    readonly action: string;
    readonly status: string;
    readonly eventId: string | null;
  }[];
  readonly rejected: readonly { readonly index: number; readonly error: string }[];
}

/** How often the cause was right, of the verdicts that say so or not. */
export interface ShareReply {
  readonly right: number;
  readonly of: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}
export interface QualityReply {
  readonly quality: {
    readonly verdicts: number;
    readonly cause: ShareReply;
    readonly members: Readonly<Record<'right' | 'too_many' | 'too_few', number>>;
    readonly corrections: { readonly splits: number; readonly merges: number; readonly truncated: boolean };
    readonly calibration: {
      readonly of: number;
      readonly error: number | null;
      readonly bins: readonly {
        readonly from: number;
        readonly to: number;
        readonly judged: number;
        readonly meanConfidence: number | null;
        readonly hitRate: number | null;
      }[];
    };
    readonly byStrategy: readonly (ShareReply & { readonly strategy: string | null })[];
    readonly byCiType: readonly (ShareReply & { readonly type: string | null })[];
    readonly truncated: boolean;
  };
}

export interface SettingsReply {
  readonly data: {
    readonly effective: Readonly<Record<string, unknown>>;
    readonly defaults: Readonly<Record<string, unknown>>;
  };
}
type TrialGroups = readonly { readonly correlationId: string; readonly size: number }[];
type TrialCounts = Readonly<Record<'groups' | 'grouped' | 'largest' | 'noise', number>>;
/** Results of a trial are null until it is completed. */
export interface TrialReply {
  readonly data: {
    readonly id: string;
    readonly state: string;
    readonly endedAt: string | null;
    readonly error: string | null;
    readonly from: string | null;
    readonly events: number | null;
    readonly truncated: boolean | null;
    readonly before: TrialCounts | null;
    readonly after: TrialCounts | null;
    readonly changes:
      | readonly {
          readonly kind: string;
          readonly before: TrialGroups;
          readonly after: TrialGroups;
          readonly titles: readonly string[];
        }[]
      | null;
    readonly changed: number | null;
    readonly verdicts: { readonly kept: number; readonly lost: number } | null;
  };
}

export interface ExplainReply {
  readonly events: readonly string[];
  readonly together: boolean;
  readonly correlationId: string | null;
  readonly profile: string;
  readonly learningReason?: string;
  readonly usual: readonly { readonly reason: string }[];
  readonly strategies: readonly {
    readonly strategy: string;
    readonly literalScore: number;
    readonly factor: number;
    readonly score: number;
    readonly threshold: number;
    readonly joined: boolean;
    readonly reason: string;
  }[];
  readonly refusedReason: string | null;
  readonly manual: boolean;
  readonly notCompared: { readonly reason: string } | null;
}

export interface CorrelationsReply {
  readonly correlations: readonly {
    readonly eventId: string;
    readonly score: number;
    readonly refusedBy?: string;
    readonly reasons: readonly { readonly strategy: string }[];
  }[];
}

interface PausedView {
  readonly by: { readonly username: string };
  readonly at: string;
}
export interface SinkReply {
  readonly data: { readonly name: string; readonly paused: PausedView | null };
}

export interface PipelineReply {
  readonly data: {
    readonly processors: readonly {
      readonly name: string;
      readonly input: string;
      readonly status: string;
      readonly detail: string | null;
      readonly members: number;
      readonly lag: number;
      readonly last_error: { readonly message: string } | null;
      /** Absent in replies of older servers. */
      readonly paused?: PausedView | null;
    }[];
    readonly dead_letters: { readonly waiting: number; readonly at_least: boolean };
    /** Absent in replies of older servers. */
    readonly jobs?: readonly {
      readonly name: string;
      readonly every_seconds: number;
      readonly outcome: string | null;
      readonly last_run: string | null;
      readonly duration_ms: number | null;
      readonly running_since: string | null;
      readonly next_run: string;
      readonly error: string | null;
    }[];
  };
}

export interface LetterView {
  readonly id: string;
  readonly at: string;
  readonly processor: string;
  readonly reason: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly state: string;
  readonly settled: { readonly outcome: string } | null;
}
export interface LettersReply extends Paged {
  readonly data: readonly LetterView[];
}
export interface LetterReply {
  readonly data: LetterView & {
    readonly record: unknown;
    readonly value: string | null;
    readonly not_replayable: string | null;
  };
}
export interface SettledReply {
  readonly settled: number;
  readonly failed: number;
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
  readonly more: boolean;
}

/** POST /v1/cmdb/import/{ci,relationships}. */
export interface ImportReply {
  readonly dry_run: boolean;
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly stopped: boolean;
  readonly rows: readonly {
    readonly row: number;
    readonly action: string;
    readonly id: string | null;
    readonly error: string | null;
    /** Of a dry run. */
    readonly changes?: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
  }[];
  readonly truncated: boolean;
  readonly warnings: readonly string[];
  /** Absent in replies of older servers. */
  readonly ignored_columns?: readonly string[];
}

export interface ScanReply {
  readonly scan_id: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly ambiguous: number;
  readonly failed: number;
}
