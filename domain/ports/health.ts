/** One dependency or processor as `/readyz?verbose` shows it. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Fine for now, and worth a look. */
  readonly warn?: boolean;
  readonly detail: string;
}

export interface ProcessHealth {
  readonly ready: boolean;
  /** True if some check fails, though requests are still answered. */
  readonly degraded?: boolean;
  readonly checks: readonly HealthCheck[];
}
