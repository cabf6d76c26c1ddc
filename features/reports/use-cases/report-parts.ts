import type { UseCaseContext } from '#application/access/context.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { Recommendation } from '#features/questions/rules/answers/recommendations.ts';
import type { Metric } from '#features/questions/rules/query.ts';
import type { ChangeRow } from '#features/reports/rules/templates/change-risk.ts';
import type { JudgedAgent } from '#features/reports/rules/templates/correlation-quality.ts';
import type { HandoverOnCall } from '#features/reports/rules/templates/handover.ts';
import type { ReportReading } from './reading/reading.ts';

/** Recommendations concern a metric of the whole tenant in a range. */
export interface AdviceAsked {
  readonly metric: Metric;
  readonly range: Range;
}

/** Data of other features in reports. */
export interface ReportParts {
  /** Assessed changes in the range, of these CI types. */
  readonly changes?: (reading: ReportReading, ciTypes: readonly string[] | null) => Promise<readonly ChangeRow[]>;
  readonly judged?: (reading: ReportReading) => Promise<readonly JudgedAgent[]>;
  readonly onCall?: (reading: ReportReading) => Promise<readonly HandoverOnCall[]>;
  /** Recommendations in addition to those derived from the numbers. */
  readonly advice?: (context: UseCaseContext, asked: AdviceAsked) => Promise<readonly Recommendation[]>;
}

declare module '#features/feature.ts' {
  interface Contributions {
    readonly reports: ReportParts;
  }
}
declare module '#domain/ports/ports.ts' {
  interface Ports {
    readonly reportParts: readonly ReportParts[];
  }
}
